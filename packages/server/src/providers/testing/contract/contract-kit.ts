import type { TurnEvent, UpsertObject } from '@liminal/contracts';
import { expect, vi } from 'vitest';
import type { CliProvider } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';

/** A provider under test, and the prompts that make its agent do each thing. */
export type ProviderUnderTest = {
  readonly provider: CliProvider;
  readonly projectDir: string;
  readonly prompts: {
    /** Answered with some text. */
    readonly text: string;
    /** Makes a tool call that succeeds and needs no permission. */
    readonly tool: string;
    /** Answered so slowly that it can be cancelled midway. */
    readonly slow: string;
  };
  /** The pids of the running agent processes, including children. */
  processes(): Promise<readonly number[]>;
  /** How many agents were started so far, not counting what an agent starts by itself. */
  starts(): number;
  cleanup(): Promise<void>;
};

export type Heard = { readonly upserts: UpsertObject[]; readonly turns: TurnEvent[]; readonly order: string[] };

/** What the contract's tests share. `subject` and `provider` belong to the running test. */
export type ContractKit = {
  readonly subject: ProviderUnderTest;
  readonly provider: CliProvider;
  readonly patience: { readonly timeout: number; readonly interval: number };
  /** Runs every case of the contract, or only the few that depend most on the agent: reload, cancel. */
  readonly isWhole: boolean;
  create(): Promise<string>;
  listen(sessionId: string): Heard;
  ended(heard: Heard, turnId: string): Promise<TurnEvent>;
  begun(heard: Heard): Promise<void>;
  /** The code of a refusal, which must have a message as well. */
  refusal(attempt: Promise<unknown>): Promise<string>;
};

export const isTerminal = (event: TurnEvent): boolean => event.type !== 'turn_started';

export function createContractKit(
  subject: () => ProviderUnderTest,
  { patienceMs, isWhole }: { readonly patienceMs: number; readonly isWhole: boolean },
): ContractKit {
  const patience = { timeout: patienceMs, interval: 10 };
  return {
    get subject() {
      return subject();
    },
    get provider() {
      return subject().provider;
    },
    patience,
    isWhole,

    async create() {
      const { provider, projectDir } = subject();
      return (await provider.createSession({ projectDir })).sessionId;
    },

    listen(sessionId) {
      const heard: Heard = { upserts: [], turns: [], order: [] };
      const { provider } = subject();
      provider.onTurn(sessionId, (event) => {
        heard.turns.push(event);
        heard.order.push(event.type);
      });
      provider.onUpsert(sessionId, (upsert) => {
        heard.upserts.push(upsert);
        heard.order.push(`${upsert.type} ${upsert.status}`);
      });
      return heard;
    },

    ended: (heard, turnId) =>
      vi.waitFor(() => {
        const terminal = heard.turns.find((event) => event.turnId === turnId && isTerminal(event));
        if (!terminal) throw new Error(`turn ${turnId} has not ended`);
        return terminal;
      }, patience),

    begun: (heard) => vi.waitFor(() => expect(heard.upserts.length).toBeGreaterThan(0), patience),

    async refusal(attempt) {
      const error = await attempt.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ProviderError);
      expect((error as ProviderError).message).not.toBe('');
      return (error as ProviderError).code;
    },
  };
}
