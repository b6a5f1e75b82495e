import { setTimeout as delay } from 'node:timers/promises';
import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import { createBudgetMeter } from '../../kit/agent-budget.ts';
import { asRecord } from '../../kit/read-json.ts';
import { ProviderError, errorText } from '../../provider-error.ts';
import type { ClaudeDeps } from './claude-deps.ts';
import { createClaudeHost, startFailure } from './claude-host.ts';
import { type ClaudeAsks, type ClaudeQuery, type SessionOptions, type UserMessage, startQuery } from './claude-sdk.ts';
import type { MessageQueue } from './message-queue.ts';
import type { SpareProcess } from './spare.ts';

/** One Claude Code process, for the life of one session or until it sleeps. Its input stays open throughout. */
export type ClaudeProcess = {
  readonly pid: number | undefined;
  readonly isAlive: boolean;
  /** We are ending it ourselves. */
  readonly isEnding: boolean;
  /** Started for a trusted folder, whose settings it has read. */
  readonly trusted: boolean;
  /** It can be switched to the mode without permission requests. */
  readonly mayBypass: boolean;
  /** Resolves once the program runs; rejects with what to do if it can't be started. */
  readonly started: Promise<void>;
  /** Resolves once it is ready for messages; rejects if it ended first. */
  readonly ready: Promise<void>;
  interrupt(): Promise<void>;
  setModel(model: string): Promise<void>;
  setMode(mode: string): Promise<void>;
  setEffort(effort: string): Promise<void>;
  choices: ClaudeQuery['choices'];
  /** Ends it and everything it started; the listener is informed that this was wanted. */
  kill(): Promise<void>;
};

export type ProcessListener = ClaudeAsks & {
  said(message: unknown): void;
  /** The approximate amount of its output held because it isn't finished. */
  heldLength(): number;
  /** Called when nothing more will arrive. */
  ended(end: { readonly wanted: boolean; readonly reason: string }): void;
};

export type ProcessStart = {
  /** The queue it reads its messages from while it lives. */
  readonly messages: MessageQueue<UserMessage>;
  readonly session: SessionOptions;
  readonly trusted: boolean;
  readonly mayBypass: boolean;
  readonly spare?: SpareProcess | undefined;
};

/** How long the last output may take to arrive after the process is gone. */
const lastOutputMs = 500;

type Launch = {
  readonly query: ClaudeQuery;
  readonly agent: Promise<AgentProcess>;
  readonly claimed: Promise<void>;
  stop(): Promise<void>;
};

export function startClaudeProcess(deps: ClaudeDeps, listener: ProcessListener, start: ProcessStart): ClaudeProcess {
  const messages = start.messages.openReader();
  let agent: AgentProcess | undefined;
  let wanted = false;
  let over = false;
  const budget = createBudgetMeter('Claude Code', deps.limits);
  let excess: string | undefined;
  let killed: Promise<void> | undefined;
  let launch = (start.spare && claim(start.spare)) ?? startCold();

  function startCold(): Launch {
    const host = createClaudeHost(deps, { trusted: start.trusted, mayBypass: start.mayBypass, asks: listener });
    const query = startQuery(messages, host.options, start.session);
    const agent = query.begun.then(() => host.agent);
    // A process that is about to start must be ended too.
    const stop = () => query.begun.catch(() => {}).then(() => host.stop());
    return { query, agent, claimed: Promise.resolve(), stop };
  }

  function claim(spare: SpareProcess): Launch | undefined {
    spare.bind(listener);
    const { promise: claimed, resolve, reject } = Promise.withResolvers<void>();
    // Messages wait for the claim: a spare that refuses must not take one.
    const gated = (async function* () {
      if (
        await claimed.then(
          () => true,
          () => false,
        )
      )
        yield* messages;
    })();
    try {
      const taken = spare.claim(gated, start.session);
      taken.claimed.then(resolve, reject);
      return { query: taken.query, agent: Promise.resolve(spare.agent), claimed, stop: () => spare.kill() };
    } catch {
      // The spare has just ended.
      void spare.kill();
      return undefined;
    }
  }

  function end(reason: string): void {
    if (over) return;
    over = true;
    messages.close();
    listener.ended({ wanted, reason: excess ?? reason });
  }

  function hear(message: unknown): void {
    listener.said(message);
    if (!agent) return;
    if (asRecord(message)['type'] === 'result') budget.turnStarted(agent.outputBytes);
    excess = budget.excess(agent.outputBytes, listener.heldLength());
    if (excess !== undefined) void agent.kill();
  }

  async function pump(running: Launch): Promise<void> {
    let reason = '';
    try {
      for await (const message of running.query.messages) {
        // A refused spare answers before it exits: that isn't for the session.
        if (running === launch && excess === undefined) hear(message);
      }
    } catch (error) {
      reason = errorText(error);
    }
    if (running === launch) end(withStderrTail(reason, agent));
  }

  /** Follows one launch: its start, its claim, its end. */
  function follow(running: Launch): { started: Promise<void>; ready: Promise<void> } {
    const started = running.agent.then(
      (process) => {
        agent = process;
        if (wanted) void process.kill();
        void process.exited.then(async ({ code, signal }) => {
          await delay(lastOutputMs, undefined, { ref: false });
          if (running === launch) end(withStderrTail(signal ?? `exit code ${code}`, process));
        });
      },
      (error: unknown) => {
        wanted = true;
        end('');
        throw startFailure(error, deps.env);
      },
    );
    const ready = started.then(async () => {
      await running.claimed;
      await running.query.choices();
    });
    void pump(running);
    return { started, ready: withEnd(ready) };
  }

  /** Settles early if the process ends, so nobody waits for a process that is gone. */
  async function withEnd(ready: Promise<void>): Promise<void> {
    try {
      await Promise.race([ready, agentGone()]);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      const reason = errorText(error);
      throw new ProviderError(
        'SESSION_CREATE_FAILED',
        withStderrTail(`Claude Code didn't start: ${reason}`, agent),
        error,
      );
    }
  }

  /** Replaces a spare that can't serve this folder with a process started for it. */
  async function readyDespiteRefusal(spare: Launch, ready: Promise<void>): Promise<void> {
    try {
      await spare.claimed;
    } catch (error) {
      if (over || wanted) throw error;
      deps.log.info(
        { error: String(error) },
        "a spare Claude Code couldn't be used for this folder; starting a new one",
      );
      launch = startCold();
      // The spare's end isn't the end of this process.
      agent = undefined;
      void spare.stop();
      return follow(launch).ready;
    }
    return ready;
  }

  async function agentGone(): Promise<never> {
    const { code, signal } = await (await launch.agent).exited;
    throw new Error(`it exited immediately (${signal ?? `exit code ${code}`})`);
  }

  const first = follow(launch);
  const followed = start.spare ? { started: first.started, ready: readyDespiteRefusal(launch, first.ready) } : first;
  for (const promise of [first.ready, followed.started, followed.ready]) promise.catch(() => {});

  return {
    get pid() {
      return agent?.pid;
    },
    get isAlive() {
      return !over && !wanted && agent?.isRunning !== false;
    },
    get isEnding() {
      return wanted;
    },
    trusted: start.trusted,
    mayBypass: start.mayBypass,
    started: followed.started,
    ready: followed.ready,
    interrupt: () => launch.query.interrupt(),
    setModel: (model) => launch.query.setModel(model),
    setMode: (mode) => launch.query.setMode(mode),
    setEffort: (effort) => launch.query.setEffort(effort),
    choices: () => launch.query.choices(),
    kill() {
      wanted = true;
      killed ??= launch.stop().then(() => {
        launch.query.close();
        end('');
      });
      return killed;
    },
  };
}

/** The last stderr output usually says more than the exit code. */
function withStderrTail(reason: string, agent: AgentProcess | undefined): string {
  const said = agent?.stderrTail().trim().slice(-600) ?? '';
  return [reason, said].filter(Boolean).join('. Last output: ');
}
