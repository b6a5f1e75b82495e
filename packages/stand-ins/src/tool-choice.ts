import type { ToolWish } from './steps.ts';
import { asRecord } from './wire/read-body.ts';
import type { ModelRequest, OfferedTool, ToolCall } from './wire/wire-format.ts';

/** Turns a wish into calls of the offered tools that can do it, in the agent's own format. */
export function chooseTools(wish: ToolWish, request: Pick<ModelRequest, 'tools' | 'planFile'>): readonly ToolCall[] {
  // Claude Code reads the plan from its plan file, no longer from the call that ends plan mode.
  if (wish.tool === 'exit-plan' && wish.plan && request.planFile)
    return [fileCall('Write', request.planFile, { content: wish.plan }), json('ExitPlanMode', {})];
  return [chooseTool(wish, request.tools)];
}

function chooseTool(wish: ToolWish, offered: readonly OfferedTool[]): ToolCall {
  const first = (...names: [string, ...string[]]): string =>
    names.find((name) => offered.some((tool) => tool.name === name)) ?? names[0];
  switch (wish.tool) {
    case 'shell':
      return shellCall(wish, first('Bash', 'exec_command', 'shell_command', 'shell', 'bash', 'run_shell_command'));
    case 'write': {
      const added = wish.content.split('\n').map((line) => `+${line}`);
      return (
        patchCall(offered, [`*** Add File: ${wish.path}`, ...added]) ??
        fileCall(first('Write', 'write', 'write_file'), wish.path, { content: wish.content })
      );
    }
    case 'edit': {
      const hunk = ['@@', ...lines('-', wish.before), ...lines('+', wish.after)];
      const name = first('Edit', 'edit', 'replace');
      const texts =
        name === 'edit'
          ? { oldString: wish.before, newString: wish.after }
          : { old_string: wish.before, new_string: wish.after };
      return patchCall(offered, [`*** Update File: ${wish.path}`, ...hunk]) ?? fileCall(name, wish.path, texts);
    }
    case 'plan':
      return planCall(wish.entries, first('TodoWrite', 'update_plan', 'todowrite', 'todo_write', 'write_todos'));
    case 'task':
      return json(first('Task', 'Agent', 'task'), {
        description: 'scripted subagent',
        prompt: wish.prompt,
        subagent_type: 'general-purpose',
        run_in_background: wish.background,
      });
    case 'ask': {
      const name = first('AskUserQuestion', 'request_user_input', 'question');
      return json(name, {
        questions: name === 'request_user_input' ? wish.questions.map(codexQuestion) : wish.questions,
      });
    }
    case 'exit-plan':
      return json('ExitPlanMode', wish.plan ? { plan: wish.plan } : {});
    case 'named':
      return namedCall(wish, offered);
  }
}

const json = (name: string, value: unknown): ToolCall => ({ name, input: { kind: 'json', value } });
const lines = (sign: string, text: string): string[] => text.split('\n').map((line) => sign + line);

function shellCall(wish: ToolWish & { tool: 'shell' }, name: string): ToolCall {
  const { command, background = false } = wish;
  const escalation = wish.escalated
    ? { sandbox_permissions: 'require_escalated', justification: 'the script asks for it' }
    : {};
  switch (name) {
    case 'exec_command':
      // Codex leaves a command in the background when it runs longer than the yield time.
      return json(name, { cmd: command, yield_time_ms: background ? 250 : 10_000, ...escalation });
    case 'shell_command':
      return json(name, { command, ...escalation });
    case 'shell':
      return json(name, { command: ['bash', '-lc', command], ...escalation });
    case 'run_shell_command':
      return json(name, { command, description: 'scripted command', is_background: background });
    default:
      return json(name, {
        command,
        description: 'scripted command',
        ...(background ? { run_in_background: true } : {}),
      });
  }
}

// Codex requires an id for each question and rejects unknown fields.
function codexQuestion(question: unknown, index: number): object {
  const { multiSelect: _, ...fields } = asRecord(question);
  return { id: `q${index + 1}`, ...fields };
}

function patchCall(offered: readonly OfferedTool[], body: readonly string[]): ToolCall | undefined {
  const tool = offered.find(({ name }) => name === 'apply_patch');
  if (!tool) return undefined;
  const patch = ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
  if (tool.freeform) return { name: tool.name, input: { kind: 'freeform', text: patch } };
  const [field = 'input'] = Object.keys(asRecord(asRecord(tool.schema)['properties']));
  return json(tool.name, { [field]: patch });
}

// opencode writes its fields in camel case, the others in snake case.
function fileCall(name: string, path: string, rest: Record<string, string>): ToolCall {
  const camel = name === 'write' || name === 'edit';
  return json(name, { [camel ? 'filePath' : 'file_path']: path, ...rest });
}

function planCall(entries: readonly string[], name: string): ToolCall {
  const status = (index: number): string => (index === 0 ? 'in_progress' : 'pending');
  switch (name) {
    case 'update_plan':
      return json(name, { plan: entries.map((step, index) => ({ step, status: status(index) })) });
    case 'write_todos':
      return json(name, { todos: entries.map((description, index) => ({ description, status: status(index) })) });
    case 'TodoWrite':
      return json(name, {
        todos: entries.map((content, index) => ({ content, activeForm: content, status: status(index) })),
      });
    default:
      return json(name, {
        todos: entries.map((content, index) => ({
          id: String(index),
          content,
          status: status(index),
          priority: 'medium',
        })),
      });
  }
}

function namedCall(wish: ToolWish & { tool: 'named' }, offered: readonly OfferedTool[]): ToolCall {
  const tool = offered.find(({ name }) => name === wish.name);
  if (tool?.freeform) return { name: wish.name, input: { kind: 'freeform', text: wish.input } };
  const namespace = wish.namespace ?? tool?.namespace;
  return { ...json(wish.name, readJson(wish.input)), ...(namespace ? { namespace } : {}) };
}

function readJson(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return { input: text };
  }
}
