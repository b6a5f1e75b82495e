import type { SessionInfo } from '@liminal/contracts';
import { type Loose, present } from '../../kit/read-json.ts';
import { ProviderError } from '../../provider-error.ts';
import { type ChoiceKind, type Choices, readChoices } from './choices.ts';
import { AgentRefused } from '../connection/failures.ts';
import type { SessionHub } from '../../kit/session-hub.ts';

/** What can be chosen in a running session: model, mode, effort. */
export type AcpOptions = {
  /** The agent reported its choices again. */
  learn(news: Loose): void;
  choose(kind: ChoiceKind, value: string): Promise<void>;
  /** What this process has reported or accepted. The hub may still have what an earlier one did. */
  chosen(): Chosen;
};

export type Chosen = Pick<SessionInfo, 'modelId' | 'modeId' | 'effort'>;

export type AcpOptionsDeps = {
  readonly sessionId: string;
  readonly agentName: string;
  /** The answer to `session/new` or `session/load`. */
  readonly answer: Loose;
  readonly hub: SessionHub;
  /** Rejects with `AgentRefused` when the agent refuses. */
  ask(method: string, params: unknown): Promise<Loose>;
};

export function createAcpOptions({ sessionId, agentName, answer, hub, ask }: AcpOptionsDeps): AcpOptions {
  let offered: Loose = {};
  let choices: Choices = readChoices(offered);
  let chosen: Chosen = {};

  function report(info: SessionInfo): void {
    const { modelId, modeId, effort } = info;
    chosen = { ...chosen, ...present({ modelId, modeId, effort }) };
    hub.learn(info);
  }

  function learn(news: Loose): void {
    offered = { ...offered, ...news };
    choices = readChoices(offered);
    report(choices.info);
  }

  learn(answer);
  return {
    learn,
    chosen: () => chosen,
    async choose(kind, value) {
      const request = choices.request(kind, sessionId, value);
      if (!request) throw new ProviderError('NOT_SUPPORTED', `${agentName} doesn't let you choose the ${kind}.`);
      try {
        const reply = await ask(request.method, request.params);
        if (Array.isArray(reply['configOptions'])) learn({ configOptions: reply['configOptions'] });
        else report(kind === 'model' ? { modelId: value } : kind === 'mode' ? { modeId: value } : { effort: value });
      } catch (cause) {
        if (!(cause instanceof AgentRefused)) throw cause;
        const message = `${agentName} rejected "${value}" as its ${kind}: ${cause.message}`;
        throw new ProviderError('INVALID_REQUEST', message, cause);
      }
    },
  };
}
