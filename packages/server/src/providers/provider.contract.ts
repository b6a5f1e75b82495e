import type { TurnEvent, UpsertObject } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CliProvider } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** A provider to be put to the test, and what to say to its agent to make it do each thing. */
export type ProviderUnderTest = {
  readonly provider: CliProvider;
  readonly projectDir: string;
  readonly prompts: {
    /** Answered with some text. */
    readonly text: string;
    /** Makes a tool call that ends well and needs no permission. */
    readonly tool: string;
    /** Answered so slowly that it can be cancelled in the middle. */
    readonly slow: string;
  };
  /** The pids of the agent processes that run now, children included. */
  processes(): Promise<readonly number[]>;
  /** How many agents were started so far; what an agent starts by itself does not count. */
  starts(): number;
  cleanup(): Promise<void>;
};

type Heard = { readonly upserts: UpsertObject[]; readonly turns: TurnEvent[]; readonly order: string[] };

const isTerminal = (event: TurnEvent): boolean => event.type !== 'turn_started';

/** What every provider promises, whatever agent is behind it. `patienceMs`: how long one step of a slow agent may take. */
export function providerContract(
  name: string,
  make: () => Promise<ProviderUnderTest>,
  { patienceMs = 25_000 }: { readonly patienceMs?: number } = {},
): void {
  const patience = { timeout: patienceMs, interval: 10 };
  describe(`provider contract: ${name}`, { timeout: patienceMs + 5_000 }, () => {
    let subject: ProviderUnderTest;
    let provider: CliProvider;
    beforeEach(async () => {
      subject = await make();
      ({ provider } = subject);
    });
    afterEach(() => subject.cleanup());

    const create = async (): Promise<string> =>
      (await provider.createSession({ projectDir: subject.projectDir })).sessionId;

    function listen(sessionId: string): Heard {
      const heard: Heard = { upserts: [], turns: [], order: [] };
      provider.onTurn(sessionId, (event) => {
        heard.turns.push(event);
        heard.order.push(event.type);
      });
      provider.onUpsert(sessionId, (upsert) => {
        heard.upserts.push(upsert);
        heard.order.push(`${upsert.type} ${upsert.status}`);
      });
      return heard;
    }

    const ended = (heard: Heard, turnId: string): Promise<TurnEvent> =>
      vi.waitFor(() => {
        const terminal = heard.turns.find((event) => event.turnId === turnId && isTerminal(event));
        if (!terminal) throw new Error(`turn ${turnId} has not ended`);
        return terminal;
      }, patience);

    const begun = (heard: Heard): Promise<void> =>
      vi.waitFor(() => expect(heard.upserts.length).toBeGreaterThan(0), patience);

    const refusal = async (attempt: Promise<unknown>): Promise<string> => {
      const error = await attempt.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ProviderError);
      expect((error as ProviderError).message).not.toBe('');
      return (error as ProviderError).code;
    };

    test('TC-2.1a: the port has create, load, send, cancel, kill, isAlive, onUpsert, onTurn', () => {
      expect(provider).toMatchObject({ cliType: expect.any(String) as string, name: expect.any(String) as string });
      const methods = [
        'createSession',
        'loadSession',
        'sendMessage',
        'cancelTurn',
        'killSession',
        'isAlive',
        'onUpsert',
        'onTurn',
      ];
      for (const method of methods) expect(provider).toHaveProperty(method, expect.any(Function));
      expect(Object.values(provider.capabilities).every((can) => typeof can === 'boolean')).toBe(true);
    });

    test('it can start here', async () => {
      expect(await provider.availability()).toEqual({ available: true });
    });

    test('create gives a living session of its type; kill ends it and leaves no process', async () => {
      const session = await provider.createSession({ projectDir: subject.projectDir });
      expect(session.cliType).toBe(provider.cliType);
      await provider.sendMessage(session.sessionId, subject.prompts.text);
      expect(provider.isAlive(session.sessionId)).toBe(true);
      expect(await subject.processes()).not.toEqual([]);
      await provider.killSession(session.sessionId);
      expect(provider.isAlive(session.sessionId)).toBe(false);
      await vi.waitFor(async () => expect(await subject.processes()).toEqual([]), patience);
    });

    test('send returns once the turn is bound; turn_started is first, one terminal last, all with its turnId', async () => {
      const sessionId = await create();
      const heard = listen(sessionId);
      const { turnId } = await provider.sendMessage(sessionId, subject.prompts.text, { turnId: 'turn-a' });
      expect(turnId).toBe('turn-a');
      expect(heard.turns.some(isTerminal)).toBe(false);
      expect(await ended(heard, turnId)).toMatchObject({ type: 'turn_complete', status: 'completed' });
      expect(heard.order[0]).toBe('turn_started');
      expect(heard.order.at(-1)).toBe('turn_complete');
      expect(heard.turns).toHaveLength(2);
      for (const told of [...heard.upserts, ...heard.turns]) expect(told).toMatchObject({ turnId, sessionId });
      const message = heard.upserts.findLast((upsert) => upsert.type === 'message');
      expect(message).toMatchObject({
        status: 'complete',
        origin: 'agent',
        content: expect.stringMatching(/\S/) as string,
      });
    });

    test('without a turnId it makes one, and no two are the same', async () => {
      const sessionId = await create();
      const heard = listen(sessionId);
      const first = await provider.sendMessage(sessionId, subject.prompts.text);
      await ended(heard, first.turnId);
      const second = await provider.sendMessage(sessionId, subject.prompts.text);
      await ended(heard, second.turnId);
      expect(first.turnId).not.toBe(second.turnId);
    });

    test('each item is created at most once, never shrinks, and ends at most once', async () => {
      const sessionId = await create();
      const heard = listen(sessionId);
      const { turnId } = await provider.sendMessage(sessionId, subject.prompts.text);
      await ended(heard, turnId);
      const items = Map.groupBy(heard.upserts, (upsert) => upsert.itemId);
      for (const states of items.values()) {
        expect(states.slice(1).some((state) => state.status === 'create')).toBe(false);
        expect(states.slice(0, -1).some((state) => state.status === 'complete' || state.status === 'error')).toBe(
          false,
        );
        const texts = states.flatMap((state) =>
          state.type === 'message' || state.type === 'thinking' ? [state.content] : [],
        );
        for (const [index, text] of texts.slice(1).entries()) expect(text.startsWith(texts[index] ?? '')).toBe(true);
      }
    });

    test('a tool call is created, and completed under the same itemId with its output', async () => {
      const sessionId = await create();
      const heard = listen(sessionId);
      const { turnId } = await provider.sendMessage(sessionId, subject.prompts.tool);
      await ended(heard, turnId);
      const calls = heard.upserts.filter((upsert) => upsert.type === 'tool_call');
      expect(calls[0]).toMatchObject({ status: 'create', callId: expect.any(String) as string });
      const last = calls.findLast((upsert) => upsert.callId === calls[0]?.callId);
      expect(last).toMatchObject({ status: 'complete', itemId: calls[0]?.itemId });
      expect(last?.toolOutputIsError ?? false).toBe(false);
      expect(last?.toolOutput).toMatch(/\S/);
    });

    test('two messages are answered in order by the same process', async () => {
      const sessionId = await create();
      const heard = listen(sessionId);
      const first = await provider.sendMessage(sessionId, subject.prompts.text, { turnId: 'first' });
      const processes = await subject.processes();
      await ended(heard, first.turnId);
      const second = await provider.sendMessage(sessionId, subject.prompts.text, { turnId: 'second' });
      await ended(heard, second.turnId);
      expect(heard.turns.map(({ type, turnId }) => `${turnId} ${type}`)).toEqual([
        'first turn_started',
        'first turn_complete',
        'second turn_started',
        'second turn_complete',
      ]);
      expect((await subject.processes())[0]).toBe(processes[0]);
    });

    test('cancel ends the turn as cancelled, and the session takes the next message', async () => {
      const sessionId = await create();
      const heard = listen(sessionId);
      const slow = await provider.sendMessage(sessionId, subject.prompts.slow);
      await begun(heard);
      await provider.cancelTurn(sessionId);
      expect(await ended(heard, slow.turnId)).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
      // Nothing of a cancelled turn is called an error.
      expect(heard.upserts.some((upsert) => upsert.status === 'error')).toBe(false);
      const next = await provider.sendMessage(sessionId, subject.prompts.text);
      expect(await ended(heard, next.turnId)).toMatchObject({ status: 'completed' });
    });

    test('cancel with no turn running has no effect', async () => {
      const sessionId = await create();
      await provider.cancelTurn(sessionId);
      const heard = listen(sessionId);
      const { turnId } = await provider.sendMessage(sessionId, subject.prompts.text);
      expect(await ended(heard, turnId)).toMatchObject({ status: 'completed' });
    });

    test('events are held until the first listener', async () => {
      const sessionId = await create();
      const { turnId } = await provider.sendMessage(sessionId, subject.prompts.text);
      const early: TurnEvent[] = [];
      provider.onTurn(sessionId, (event) => early.push(event));
      await vi.waitFor(() => expect(early.some(isTerminal)).toBe(true), patience);
      const late = listen(sessionId);
      expect(late.upserts.length).toBeGreaterThan(0);
      expect(late.upserts[0]).toMatchObject({ turnId });
      expect(early[0]?.type).toBe('turn_started');
    });

    test('a listener that has left hears nothing more, and one that throws harms nobody', async () => {
      const sessionId = await create();
      const leave = provider.onTurn(sessionId, () => expect.unreachable('it has left'));
      leave();
      provider.onTurn(sessionId, () => {
        throw new Error('a broken listener');
      });
      const heard = listen(sessionId);
      const { turnId } = await provider.sendMessage(sessionId, subject.prompts.text);
      expect(await ended(heard, turnId)).toMatchObject({ status: 'completed' });
    });

    test('loading a session that is open returns it and starts nothing', async () => {
      const sessionId = await create();
      await provider.sendMessage(sessionId, subject.prompts.slow);
      const before = subject.starts();
      expect(await provider.loadSession(sessionId, { projectDir: subject.projectDir })).toEqual({
        sessionId,
        cliType: provider.cliType,
      });
      expect(subject.starts()).toBe(before);
    });

    test('two sessions do not hear each other', async () => {
      const [one, two] = [await create(), await create()];
      const heard = { one: listen(one), two: listen(two) };
      const { turnId } = await provider.sendMessage(one, subject.prompts.text);
      await ended(heard.one, turnId);
      expect(heard.two.order).toEqual([]);
    });

    test('send after kill fails with a code; load brings the session back', async () => {
      const sessionId = await create();
      const heard = listen(sessionId);
      const { turnId } = await provider.sendMessage(sessionId, subject.prompts.text);
      await ended(heard, turnId);
      await provider.killSession(sessionId);
      expect(['SESSION_DEAD', 'PROCESS_CRASH']).toContain(
        await refusal(provider.sendMessage(sessionId, subject.prompts.text)),
      );
      await provider.killSession(sessionId);
      await provider.loadSession(sessionId, { projectDir: subject.projectDir });
      const again = await provider.sendMessage(sessionId, subject.prompts.text);
      expect(await ended(heard, again.turnId)).toMatchObject({ status: 'completed' });
    });

    test('TC-3.2c: a process that dies in a turn is told as PROCESS_CRASH, and the next send fails with it', async () => {
      const sessionId = await create();
      const heard = listen(sessionId);
      const closed = vi.fn<(reason: ProviderError) => void>();
      provider.onClosed?.(sessionId, closed);
      const { turnId } = await provider.sendMessage(sessionId, subject.prompts.slow);
      await begun(heard);
      const before = performance.now();
      for (const pid of await subject.processes()) process.kill(pid, 'SIGKILL');
      expect(await ended(heard, turnId)).toMatchObject({ type: 'turn_error', errorCode: 'PROCESS_CRASH' });
      expect(performance.now() - before).toBeLessThan(1_500);
      expect(provider.isAlive(sessionId)).toBe(false);
      if (provider.onClosed) await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1), patience);
      expect(await refusal(provider.sendMessage(sessionId, subject.prompts.text))).toBe('PROCESS_CRASH');
    });

    test('an unknown session is SESSION_NOT_FOUND', async () => {
      expect(provider.isAlive('no-such-session')).toBe(false);
      expect(await refusal(provider.sendMessage('no-such-session', 'hello'))).toBe('SESSION_NOT_FOUND');
      const { projectDir } = subject;
      expect(await refusal(provider.loadSession('no-such-session', { projectDir }))).toBe('SESSION_NOT_FOUND');
      await provider.killSession('no-such-session');
      expect(await subject.processes()).toEqual([]);
    });

    test.each(['/no/such/folder', 'relative', '~', ''])(
      'the folder "%s" is PROJECT_DIR_INVALID and starts nothing',
      async (projectDir) => {
        expect(await refusal(provider.createSession({ projectDir }))).toBe('PROJECT_DIR_INVALID');
        expect(await subject.processes()).toEqual([]);
      },
    );

    test('close ends every process', async () => {
      const sessions = [await create(), await create()];
      await provider.close();
      expect(sessions.some((sessionId) => provider.isAlive(sessionId))).toBe(false);
      await vi.waitFor(async () => expect(await subject.processes()).toEqual([]), patience);
    });
  });
}
