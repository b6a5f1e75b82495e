import { asRecord, asRecords, asText } from '../../kit/read-json.ts';
import { agentEnvironment } from '../../../processes/agent-environment.ts';
import type { AgentDeps } from '../connection/agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import { AgentRefused } from '../connection/failures.ts';
import { createProjectFiles } from './project-files.ts';
import { createTerminals } from './terminals.ts';

/** What an agent may request from us: files and commands inside its project folder. */
export type ClientServices = {
  /** Answers a request, or throws `AgentRefused`; -32601 for methods this agent was never offered. */
  serve(method: string, params: unknown): Promise<unknown>;
  /** The updates to process for this one: also the earlier output of the terminals it names, in order. */
  withTerminals(raw: unknown): readonly unknown[];
  close(): Promise<void>;
};

export type ClientServicesOptions = {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  /** A real path. */
  readonly cwd: string;
  /** Sends an update of our own: a terminal printed something that belongs to a call. */
  update(raw: unknown): void;
};

const methodNotFound = -32601;
/** A limit, because a call stays in memory in full until it ends. */
const mostShown = 16 * 1024 * 1024;
const restNotShown = '\n… The rest is not shown. The agent gets the end of the output.\n';

export const clientCapabilities = ({ usesFiles = false, usesTerminals = false }: AgentSpec): object => ({
  fs: { readTextFile: usesFiles, writeTextFile: usesFiles },
  terminal: usesTerminals,
  elicitation: { form: {} },
  session: { notices: {} },
  // Lets agents name the command that signs a user in; we pass it on.
  auth: { terminal: true },
  // Makes Codex send the full output of a command at its end. Otherwise it omits what the command printed in the first
  // moments (docs/agents.md).
  _meta: { terminal_output: true },
});

/** The full environment of an agent. */
export const environmentOf = (spec: AgentSpec, deps: Pick<AgentDeps, 'env'>): Record<string, string> => ({
  ...agentEnvironment(deps.env, { family: spec.family, own: spec.ownVariables ?? [] }),
  ...spec.env,
});

export function createClientServices({ spec, deps, cwd, update }: ClientServicesOptions): ClientServices {
  const files = createProjectFiles(cwd);
  /** The call that shows each terminal. */
  const calls = new Map<string, string>();
  const shown = new Map<string, number>();
  const partShown = (terminalId: string, text: string): string => {
    const before = shown.get(terminalId) ?? 0;
    shown.set(terminalId, Math.min(mostShown, before + text.length));
    if (before + text.length <= mostShown) return text;
    return before === mostShown ? '' : text.slice(0, mostShown - before) + restNotShown;
  };
  const terminals = createTerminals({
    spawner: deps.spawner,
    root: cwd,
    env: environmentOf(spec, deps),
    newId: deps.newId,
    onOutput(terminalId, text) {
      const callId = calls.get(terminalId);
      const part = callId === undefined ? '' : partShown(terminalId, text);
      if (callId !== undefined && part !== '') update(printed(callId, part));
    },
  });

  return {
    async serve(method, params) {
      if (spec.usesFiles && method === 'fs/read_text_file') return files.read(params);
      if (spec.usesFiles && method === 'fs/write_text_file') return files.write(params);
      if (spec.usesTerminals && method.startsWith('terminal/')) return terminals.request(method, params);
      throw new AgentRefused(methodNotFound, `Method not found: ${method}`);
    },
    withTerminals(raw) {
      const { status: _, ...open } = asRecord(raw);
      const callId = asText(open['toolCallId']);
      if (!spec.usesTerminals || callId === undefined) return [raw];
      const named = asRecords(open['content']).map((part) => asText(part['terminalId']) ?? '');
      const fresh = named.filter((terminalId) => terminalId !== '' && !calls.has(terminalId));
      if (fresh.length === 0) return [raw];
      for (const terminalId of fresh) calls.set(terminalId, callId);
      const outputs = fresh.map((terminalId) => terminals.outputOf(terminalId)).filter((text) => text !== '');
      // First the call without its end, so output can still be added.
      return [open, ...outputs.map((text) => printed(callId, text)), raw];
    },
    close: () => terminals.close(),
  };
}

/** The format in which agents that run commands themselves report their output. */
const printed = (toolCallId: string, data: string): object => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  _meta: { terminal_output_delta: { data } },
});
