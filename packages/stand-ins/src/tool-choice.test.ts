import { describe, expect, it } from 'vitest';
import { parseScript } from './script.ts';
import { chooseTools } from './tool-choice.ts';
import type { OfferedTool } from './wire/wire-format.ts';

const offered = (...names: string[]): OfferedTool[] => names.map((name) => ({ name }));
const agents = {
  claude: offered('Agent', 'AskUserQuestion', 'Bash', 'Edit', 'ExitPlanMode', 'Write'),
  codex: [...offered('exec_command', 'request_user_input'), { name: 'apply_patch', freeform: true }],
  opencode: offered('bash', 'edit', 'write', 'todowrite', 'task'),
  gemini: offered('run_shell_command', 'write_file', 'replace', 'write_todos'),
};

function call(directive: string, tools: OfferedTool[], planFile?: string): unknown[] {
  const step = parseScript(directive)?.[0]?.[0];
  if (step?.kind !== 'call') throw new Error(`${directive} calls no tool`);
  return chooseTools(step.wish, { tools, ...(planFile ? { planFile } : {}) }).map(({ name, input }) => [
    name,
    input.kind === 'json' ? input.value : input.text,
  ]);
}

describe('chooseTools', () => {
  it('runs a command with the offered shell tool', () => {
    expect(call('@shell ls', agents.claude)).toMatchObject([['Bash', { command: 'ls' }]]);
    expect(call('@shell ls', agents.codex)).toMatchObject([['exec_command', { cmd: 'ls' }]]);
    expect(call('@shell ls', agents.opencode)).toMatchObject([['bash', { command: 'ls' }]]);
    expect(call('@shell ls', agents.gemini)).toMatchObject([['run_shell_command', { command: 'ls' }]]);
    expect(call('@shell ls', offered('shell'))).toEqual([['shell', { command: ['bash', '-lc', 'ls'] }]]);
  });

  it('asks Codex for more rights, and leaves commands in the background', () => {
    expect(call('@shell! ls', agents.codex)).toMatchObject([
      [expect.any(String), { sandbox_permissions: 'require_escalated' }],
    ]);
    expect(call('@background ls', agents.claude)).toMatchObject([[expect.any(String), { run_in_background: true }]]);
    expect(call('@background ls', agents.codex)).toMatchObject([[expect.any(String), { yield_time_ms: 250 }]]);
    expect(call('@background ls', agents.gemini)).toMatchObject([[expect.any(String), { is_background: true }]]);
  });

  it('writes and edits files as the agent does', () => {
    expect(call('@write a|x', agents.claude)).toEqual([['Write', { file_path: 'a', content: 'x' }]]);
    expect(call('@write a|x', agents.opencode)).toEqual([['write', { filePath: 'a', content: 'x' }]]);
    expect(call('@write a|x\\ny', agents.codex)).toEqual([
      ['apply_patch', '*** Begin Patch\n*** Add File: a\n+x\n+y\n*** End Patch\n'],
    ]);
    expect(call('@edit a|x|y', agents.codex)).toEqual([
      ['apply_patch', '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n'],
    ]);
    expect(call('@edit a|x|y', agents.opencode)).toMatchObject([['edit', { oldString: 'x', newString: 'y' }]]);
    expect(call('@edit a|x|y', agents.gemini)).toMatchObject([['replace', { old_string: 'x', new_string: 'y' }]]);
    const json = [{ name: 'apply_patch', schema: { properties: { patch: {} } } }];
    expect(call('@write a|x', json)).toMatchObject([['apply_patch', { patch: expect.stringContaining('+x') }]]);
  });

  it('plans with the offered plan tool', () => {
    expect(call('@plan a;b', offered('update_plan'))).toEqual([
      [
        'update_plan',
        {
          plan: [
            { step: 'a', status: 'in_progress' },
            { step: 'b', status: 'pending' },
          ],
        },
      ],
    ]);
    expect(call('@plan a', agents.opencode)).toMatchObject([['todowrite', { todos: [{ content: 'a' }] }]]);
    expect(call('@plan a', agents.gemini)).toMatchObject([['write_todos', { todos: [{ description: 'a' }] }]]);
    expect(call('@plan a', offered('TodoWrite'))).toMatchObject([['TodoWrite', { todos: [{ activeForm: 'a' }] }]]);
  });

  it('starts a subagent under either of its names', () => {
    expect(call('@task go', agents.claude)).toMatchObject([['Agent', { prompt: 'go', run_in_background: false }]]);
    expect(call('@background-task go', offered('Task'))).toMatchObject([['Task', { run_in_background: true }]]);
  });

  it("asks questions in each agent's format", () => {
    expect(call('@ask Which?|A|B', agents.claude)).toMatchObject([
      ['AskUserQuestion', { questions: [{ question: 'Which?', multiSelect: false }] }],
    ]);
    const [[name, input] = []] = call('@ask Which?|A|B', agents.codex) as [string, { questions: object[] }][];
    expect(name).toBe('request_user_input');
    expect(input?.questions[0]).toMatchObject({ id: 'q1', question: 'Which?' });
    expect(input?.questions[0]).not.toHaveProperty('multiSelect');
  });

  it('writes the plan to the plan file if there is one', () => {
    expect(call('@exitplan go', agents.claude)).toEqual([['ExitPlanMode', { plan: 'go' }]]);
    expect(call('@exitplan go', agents.claude, '/plans/x.md')).toEqual([
      ['Write', { file_path: '/plans/x.md', content: 'go' }],
      ['ExitPlanMode', {}],
    ]);
  });

  it('calls any tool by name', () => {
    expect(call('@tool Read {"a":1}', agents.claude)).toEqual([['Read', { a: 1 }]]);
    expect(call('@tool Read', agents.claude)).toEqual([['Read', {}]]);
    expect(call('@tool Read not json', agents.claude)).toEqual([['Read', { input: 'not json' }]]);
    expect(call('@tool apply_patch raw', agents.codex)).toEqual([['apply_patch', 'raw']]);
  });
});
