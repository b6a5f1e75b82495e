import { fail, type BridgeArguments, type BridgeChannel, type BridgeReply, ok, type Result } from '@liminal/contracts';
import type { ProjectService } from '../projects/project-service.ts';
import { attempt } from '../sessions/service/attempt.ts';
import { createMailbox, type Mailbox } from '../sessions/shell/mailbox.ts';
import type { SessionService } from '../sessions/service/session-service.ts';
import { connectionKey, taskAgent, type AgentMaker } from './task-agent.ts';
import { createTaskSessions, type Task } from './task-sessions.ts';
import type { PrivateAgents } from './private-agents.ts';

export type BridgeTasksDeps = {
  readonly sessions: SessionService;
  readonly projects: ProjectService;
  readonly agents: PrivateAgents;
  readonly maker: AgentMaker;
  readonly newId: () => string;
  readonly now: () => string;
  readonly onError: (error: unknown) => void;
};

export type BridgeTasks = ReturnType<typeof createBridgeTasks>;
/** A task's active session changed or ended. With `replay`, its history must be sent. */
export type TaskChange = { readonly taskId: string; readonly sessionId: string | null; readonly replay: boolean };
type Handlers = {
  [Channel in BridgeChannel]: (args: BridgeArguments<Channel>) => Promise<Result<BridgeReply<Channel>>>;
};

const mostTasks = 1_000;

/** The tasks of channel hosts. Each has its own agent and does everything through the session service. */
export function createBridgeTasks(deps: BridgeTasksDeps) {
  const { sessions, agents } = deps;
  const tasks = new Map<string, Task>();
  const lines = new Map<string, { readonly mailbox: Mailbox; waiting: number }>();
  const listeners = new Set<(change: TaskChange) => void>();

  const activate = (task: Task, sessionId: string | null, replay = false): void => {
    task.active = sessionId;
    if (sessionId !== null) task.sessions.add(sessionId);
    for (const listener of listeners) listener({ taskId: task.taskId, sessionId, replay });
  };
  const own = createTaskSessions({ ...deps, activate });

  const withTask = async <T>(taskId: string, then: (task: Task) => Promise<Result<T>>): Promise<Result<T>> => {
    const task = tasks.get(taskId);
    if (!task) return fail('INVALID_REQUEST', `The task "${taskId}" isn't connected. Call agent:connect first.`);
    const done = await attempt(() => then(task));
    task.lastError = done.ok ? task.lastError : { ...done.failure, at: deps.now() };
    return done;
  };
  /** Runs one call at a time: a message sent right after connecting is meant for the agent that is still starting. */
  const inTurn = async <T>(taskId: string, then: () => Promise<Result<T>>): Promise<Result<T>> => {
    const line = lines.get(taskId) ?? { mailbox: createMailbox(deps.onError), waiting: 0 };
    lines.set(taskId, line);
    line.waiting += 1;
    try {
      return await line.mailbox.run(then);
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) lines.delete(taskId);
    }
  };
  const withSession = <T>(taskId: string, then: (sessionId: string, task: Task) => Promise<Result<T>>) =>
    withTask(taskId, async (task) =>
      task.active === null
        ? fail('INVALID_REQUEST', 'This task has no session yet. Call agent:new-session or agent:load-session.')
        : then(task.active, task),
    );

  const disconnect = async (task: Task): Promise<void> => {
    tasks.delete(task.taskId);
    const ended = task.active;
    activate(task, null);
    if (ended !== null) await sessions.kill(ended);
    if (task.agent.isPrivate) await agents.remove(task.agent.provider.cliType);
  };

  const handlers: Handlers = {
    'agent:connect': ([taskId, connection, given]) =>
      inTurn(taskId, () =>
        attempt(async () => {
          const options = given ?? {};
          const key = connectionKey(connection, options.cwd);
          const known = tasks.get(taskId);
          if (known && options.reuseIfSame && known.key === key) return own.reuse(known);
          if (known) await disconnect(known);
          if (tasks.size >= mostTasks)
            return fail('INVALID_REQUEST', 'Too many tasks are connected. Disconnect one, then try again.');
          const agent = taskAgent(connection, options, deps);
          const task: Task = {
            taskId,
            key,
            agent,
            confirm: options.confirm ?? false,
            sessions: new Set(),
            active: null,
            lastError: null,
          };
          tasks.set(taskId, task);
          const begun = options.createSession === false ? ok({}) : await attempt(() => own.begin(task, {}));
          if (!begun.ok) await disconnect(task);
          return begun;
        }),
      ),
    'agent:send': ([taskId, content, images]) =>
      inTurn(taskId, () =>
        withSession(taskId, (sessionId) => sessions.send(sessionId, { content, ...(images ? { images } : {}) })),
      ),
    'agent:stop': ([taskId]) => withSession(taskId, (sessionId) => sessions.cancel(sessionId)),
    'agent:permission-response': ([taskId, requestId, response]) =>
      withSession(taskId, (sessionId) => {
        const answer = typeof response === 'string' ? { optionId: response } : response;
        return sessions.answer(sessionId, { requestId, ...answer }, `host of task ${taskId}`);
      }),
    'agent:get-capabilities': ([taskId]) => withTask(taskId, (task) => own.capabilities(task)),
    'agent:set-model': ([taskId, modelId]) =>
      inTurn(taskId, () =>
        withSession(taskId, async (sessionId) => {
          const chosen = await sessions.setModel(sessionId, { modelId });
          return chosen.ok ? ok({}) : chosen;
        }),
      ),
    'agent:new-session': ([taskId, options]) =>
      inTurn(taskId, () => withTask(taskId, (task) => own.begin(task, options ?? {}))),
    'agent:load-session': ([taskId, sessionId]) =>
      inTurn(taskId, () => withTask(taskId, (task) => own.open(task, sessionId, true))),
    'agent:resume-session': ([taskId, sessionId]) =>
      inTurn(taskId, () => withTask(taskId, (task) => own.open(task, sessionId, false))),
    'agent:set-active-session': ([taskId, sessionId]) =>
      inTurn(taskId, () => withTask(taskId, (task) => own.choose(task, sessionId))),
    'agent:disconnect': ([taskId]) =>
      inTurn(taskId, () =>
        withTask(taskId, async (task) => {
          await disconnect(task);
          return ok<BridgeReply<'agent:disconnect'>>({});
        }),
      ),
  };

  return {
    handlers,
    activeSession: (taskId: string): string | null => tasks.get(taskId)?.active ?? null,
    isConnected: (taskId: string): boolean => tasks.has(taskId),
    follow(listener: (change: TaskChange) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
