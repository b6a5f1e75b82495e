import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import type { ClaudeDeps } from './claude-deps.ts';
import { createClaudeHost } from './claude-host.ts';
import { type ClaudeAsks, type ParkedProcess, parkProcess } from './claude-sdk.ts';

/** A process waiting for a session. Its session id is fixed when it starts. */
export type SpareProcess = {
  readonly sessionId: string;
  readonly trusted: boolean;
  readonly agent: AgentProcess;
  /** From now on this session answers the process's requests. */
  bind(asks: ClaudeAsks): void;
  claim: ParkedProcess['claim'];
  kill(): Promise<void>;
};

/** Keeps one process warm, so a new session needn't wait for one to start. */
export type SpareKeeper = {
  /** The spare for this level of trust, if one is ready. `want` starts the next one. */
  take(trusted: boolean): SpareProcess | undefined;
  isReady(): boolean;
  /** Claude Code is in use: keep a spare of this level of trust from now on. */
  want(trusted: boolean): void;
  /** Ends the spare, if there is one, and starts another a little later. */
  renew(): Promise<void>;
  close(): Promise<void>;
};

export type SpareKeeperOptions = {
  /** The signal aborts when the server stops: nobody waits for the process then. */
  readonly park: (trusted: boolean, signal: AbortSignal) => Promise<SpareProcess>;
  readonly delayMs: number;
  readonly idleMs: number;
  readonly onFailure: (error: unknown) => void;
};

/**
 * At most one spare at a time, of the last used level of trust: which folder settings a process may read is fixed when
 * it starts. One that dies or waits too long isn't replaced until the next use.
 */
export function createSpareKeeper({ park, delayMs, idleMs, onFailure }: SpareKeeperOptions): SpareKeeper {
  let spare: SpareProcess | undefined;
  let parking: Promise<void> | undefined;
  let level = false;
  let closed = false;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  function drop(): Promise<void> | undefined {
    clearTimeout(idle);
    const dropped = spare;
    spare = undefined;
    return dropped?.kill();
  }

  function later(): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => void (parking ??= start().finally(() => (parking = undefined))), delayMs);
    timer.unref();
  }

  async function start(): Promise<void> {
    if (spare || closed) return;
    const trusted = level;
    try {
      const parked = await park(trusted, stopping.signal);
      if (closed || spare || trusted !== level) {
        await parked.kill();
        if (!closed && trusted !== level) later();
        return;
      }
      spare = parked;
      idle = setTimeout(() => void drop(), idleMs);
      idle.unref();
      void parked.agent.exited.then(() => {
        if (spare === parked) void drop();
      });
    } catch (error) {
      if (!closed) onFailure(error);
    }
  }

  return {
    take(trusted) {
      if (closed || spare?.trusted !== trusted || !spare.agent.isRunning) return undefined;
      clearTimeout(idle);
      const taken = spare;
      spare = undefined;
      return taken;
    },
    isReady: () => spare?.agent.isRunning ?? false,
    want(trusted) {
      if (closed) return;
      if (level !== trusted) void drop();
      level = trusted;
      if (!spare) later();
    },
    async renew() {
      if (closed || (!spare && !parking)) return;
      await parking;
      await drop();
      later();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      stopping.abort();
      await parking;
      await drop();
    },
  };
}

/** Starts a process for the keeper. Its requests are refused until a session has claimed it. */
export async function parkSpare(deps: ClaudeDeps, trusted: boolean, signal: AbortSignal): Promise<SpareProcess> {
  let bound: ClaudeAsks | undefined;
  const asks: ClaudeAsks = {
    permission: async (question) =>
      bound ? bound.permission(question) : { behavior: 'deny', message: 'No session is open yet.' },
    form: async (question) => (bound ? bound.form(question) : { action: 'cancel' }),
    toolCall: async (call) => bound?.toolCall(call),
  };
  const sessionId = deps.newId();
  const host = createClaudeHost(deps, { trusted, mayBypass: false, asks });
  const stop = () => void host.stop();
  signal.addEventListener('abort', stop, { once: true });
  const parked = await parkProcess(host.options, sessionId, deps.limits.initializeMs)
    .catch(async (error: unknown) => {
      // The SDK gave up waiting; its process must not be left behind.
      await host.stop();
      throw error;
    })
    .finally(() => signal.removeEventListener('abort', stop));
  const agent = await host.agent;
  return {
    sessionId,
    trusted,
    agent,
    bind(given) {
      bound = given;
    },
    claim: (prompt, session) => parked.claim(prompt, session),
    async kill() {
      await agent.kill();
      parked.close();
    },
  };
}
