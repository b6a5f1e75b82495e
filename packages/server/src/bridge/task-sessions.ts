import { fail, ok, type BridgeReply, type Result, type SessionError, type SessionOptions } from '@liminal/contracts';
import type { ProjectService } from '../projects/project-service.ts';
import type { SessionService } from '../sessions/service/session-service.ts';
import type { TaskAgent } from './task-agent.ts';

/** One task of a channel host: its agent, the sessions it has had, and the one its messages go to. */
export type Task = {
  readonly taskId: string;
  readonly key: string;
  readonly agent: TaskAgent;
  /** The host confirms that its user knows what a mode without permission requests means. */
  readonly confirm: boolean;
  readonly sessions: Set<string>;
  active: string | null;
  lastError: SessionError | null;
};

export type TaskSessionDeps = {
  readonly sessions: SessionService;
  readonly projects: ProjectService;
  readonly activate: (task: Task, sessionId: string | null, replay?: boolean) => void;
};

type WithSession = Promise<Result<{ sessionId: string }>>;

/** Creates, reopens and selects the sessions of a task, always those of its own agent. */
export function createTaskSessions({ sessions, projects, activate }: TaskSessionDeps) {
  return {
    async begin(task: Task, options: SessionOptions): WithSession {
      const { provider, cwd, options: usual } = task.agent;
      const { confirm } = task;
      const body = { cliType: provider.cliType, projectDir: cwd, options: { ...usual, ...options }, confirm };
      const created = await sessions.create(body);
      if (!created.ok) return created;
      activate(task, created.value.sessionId);
      return ok({ sessionId: created.value.sessionId });
    },

    /** With `replay`, sends the history again. Otherwise the session just continues. */
    async open(task: Task, sessionId: string, replay: boolean): WithSession {
      const { provider, cwd } = task.agent;
      if (!provider.capabilities.load) return fail('NOT_SUPPORTED', `${provider.name} can't reopen earlier sessions.`);
      const status = await sessions.status(sessionId);
      if (
        status.ok &&
        status.value.cliType !== provider.cliType &&
        !isSameAgent(status.value.cliType, provider.cliType)
      ) {
        return fail('SESSION_NOT_FOUND', `${provider.name} has no session with this id.`);
      }
      const project = await projects.add(cwd);
      if (!project.ok) return project;
      const { projectId } = project.value.project;
      const loaded = await sessions.load(sessionId, { cliType: provider.cliType, projectId });
      if (!loaded.ok) return loaded;
      activate(task, sessionId, replay);
      return ok({ sessionId });
    },

    async choose(task: Task, sessionId: string): WithSession {
      if (!task.sessions.has(sessionId)) return fail('SESSION_NOT_FOUND', 'This task has no session with this id.');
      activate(task, sessionId);
      return ok({ sessionId });
    },

    /** The same connection again: continues its session, and reopens it if it has ended. */
    async reuse(task: Task): Promise<Result<BridgeReply<'agent:connect'>>> {
      if (task.active === null) return ok({});
      const status = await sessions.status(task.active);
      if (status.ok && status.value.state === 'dead') {
        const loaded = await sessions.load(task.active, {});
        if (!loaded.ok) return loaded;
      }
      return ok({ sessionId: task.active });
    },

    async capabilities(task: Task): Promise<Result<BridgeReply<'agent:get-capabilities'>>> {
      const { provider } = task.agent;
      if (task.active === null) {
        const nothing = { connected: true, capabilities: provider.capabilities, info: {} };
        return ok({ ...nothing, ...(task.lastError ? { lastError: task.lastError } : {}) });
      }
      const status = await sessions.status(task.active);
      const said = await sessions.capabilities(task.active);
      if (!status.ok) return status;
      if (!said.ok) return said;
      const lastError = status.value.lastError ?? task.lastError;
      return ok({
        connected: status.value.state !== 'dead',
        sessionId: task.active,
        ...(lastError ? { lastError } : {}),
        ...said.value,
      });
    },
  };
}

/** A private agent has a name of its own, but shares its sessions with the agent it is based on. */
const isSameAgent = (a: string, b: string): boolean => a.split('.bridge-')[0] === b.split('.bridge-')[0];
