import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import { createChoices } from './codex-choices.ts';
import { codexCommandList, readCommand, serversText, statusText } from './codex-commands.ts';
import { readModels } from './models.ts';
import { codexModes, findMode } from './modes.ts';

const models = readModels({
  data: [
    {
      model: 'm1',
      displayName: 'M1',
      supportedReasoningEfforts: [{ reasoningEffort: 'low' }, { reasoningEffort: 'xhigh' }],
      defaultReasoningEffort: 'low',
    },
    { model: 'm2', supportedReasoningEfforts: [{ reasoningEffort: 'low' }], defaultReasoningEffort: 'low' },
    { model: 'secret', hidden: true },
  ],
});
const readOnly = findMode('read-only') ?? codexModes[0];
const make = (answer: object = { model: 'm1' }) => {
  if (!readOnly) throw new Error('there are modes');
  const choices = createChoices({ ...answer }, readOnly);
  choices.offer(models);
  return choices;
};

describe('MM-5 CX-1: choices', () => {
  test('lists models with their efforts, and shows one that is not listed', () => {
    expect(make().info()).toMatchObject({
      modelId: 'm1',
      effort: 'low',
      modeId: 'read-only',
      models: [{ id: 'm1', name: 'M1' }, { id: 'm2' }],
      efforts: [
        { id: 'low', name: 'Low' },
        { id: 'xhigh', name: 'Extra high' },
      ],
    });
    expect(
      make({ model: 'mine' })
        .info()
        .models?.map(({ id }) => id),
    ).toEqual(['mine', 'm1', 'm2']);
  });

  test('CX-1: sends rights unless Codex reported exactly these, and again once another mode was chosen', () => {
    const sandbox = { type: 'readOnly', networkAccess: false };
    const own = { approvalPolicy: 'on-request', approvalsReviewer: 'user', sandbox };
    expect(make(own).turnParams()).toEqual({});
    for (const other of [
      { approvalPolicy: 'never' },
      { approvalsReviewer: 'auto_review' },
      { sandbox: { ...sandbox, networkAccess: true } },
      { sandbox: { type: 'dangerFullAccess' } },
      { sandbox: undefined },
    ])
      expect(make({ ...own, ...other }).turnParams()).toMatchObject({ sandboxPolicy: sandbox });
    const changed = make(own);
    changed.choose('mode', 'agent-full-access');
    expect(changed.turnParams()).toMatchObject({ sandboxPolicy: { type: 'dangerFullAccess' } });
    changed.choose('mode', 'read-only');
    expect(changed.turnParams()).toMatchObject({ sandboxPolicy: sandbox });
  });

  test('sends rights that Codex did not confirm with every message, and other options only once chosen', () => {
    const choices = make();
    const rights = {
      approvalPolicy: 'on-request',
      approvalsReviewer: 'user',
      sandboxPolicy: { type: 'readOnly', networkAccess: false },
    };
    expect(choices.turnParams()).toEqual(rights);
    choices.choose('model', 'm1');
    choices.choose('effort', 'xhigh');
    expect(choices.turnParams()).toEqual({ ...rights, model: 'm1', effort: 'xhigh' });
    // Codex keeps the last effort it was sent, and this model has no such effort.
    choices.choose('model', 'm2');
    expect(choices.turnParams()).toEqual({ ...rights, model: 'm2', effort: choices.info().effort });
  });

  test('rejects unknown choices, and drops remembered ones that are gone', () => {
    const choices = make();
    for (const kind of ['model', 'mode', 'effort'] as const)
      expect(() => choices.choose(kind, 'x')).toThrowError(/"x"/);
    expect(() => choices.recall({ modelId: 'gone' }, true, silentLog)).toThrowError(/gone/);
    choices.recall({ modelId: 'gone', effort: 'xhigh' }, false, silentLog);
    expect(choices.info()).toMatchObject({ modelId: 'm1', effort: 'xhigh' });
  });

  test('plan mode keeps the current model, and so does leaving it', () => {
    const choices = make();
    choices.plan(true);
    expect(choices.turnParams()).toMatchObject({ collaborationMode: { mode: 'plan', settings: { model: 'm1' } } });
    choices.plan(false);
    expect(choices.turnParams()).toMatchObject({ collaborationMode: { mode: 'default' } });
  });
});

describe('commands', () => {
  test.each([
    ['/review', { method: 'review/start', params: { target: { type: 'uncommittedChanges' } } }],
    ['/review the tests', { params: { target: { type: 'custom', instructions: 'the tests' } } }],
    ['/review-branch main', { params: { target: { type: 'baseBranch', branch: 'main' } } }],
    ['/review-branch', { kind: 'usage' }],
    ['/review-commit 1a2b', { params: { target: { type: 'commit', sha: '1a2b' } } }],
    ['/compact', { method: 'thread/compact/start' }],
    ['/plan', { kind: 'plan' }],
    ['/plan this', { kind: 'message', text: '/plan this' }],
    ['/rename  A title ', { kind: 'rename', title: 'A title' }],
    ['/$skill do it', { kind: 'message', text: '$skill do it' }],
    ['/etc/hosts is a file', { kind: 'message', text: '/etc/hosts is a file' }],
    ['hello', { kind: 'message', text: 'hello' }],
  ])('CX-1: %s', (message, wanted) => {
    expect(readCommand(message)).toMatchObject(wanted);
  });

  test('CX-1: lists skills with the commands', () => {
    const skills = {
      data: [
        {
          skills: [
            { name: 'draw', description: 'Draws' },
            { name: 'off', enabled: false },
          ],
        },
      ],
    };
    const names = codexCommandList(skills).map(({ name }) => name);
    expect(names).toContain('review');
    expect(names.at(-1)).toBe('$draw');
  });

  test('CX-1: describes status and servers', () => {
    const text = statusText({ modelId: 'm', rateLimits: [{ usedPercent: 40, windowMinutes: 300 }] }, 'thread', '/p');
    expect(text).toMatch(/\*\*Model:\*\* m[^]*\*\*Folder:\*\* \/p[^]*\*\*Limit of 5 h:\*\* 60 % left/);
    expect(serversText({})).toMatch(/No MCP server/);
    expect(serversText({ mcpServers: [{ name: 'a', state: 'failed', message: 'no' }] })).toBe('- **a**: failed (no)');
  });
});
