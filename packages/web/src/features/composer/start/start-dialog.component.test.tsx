import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { Project, ProviderSummary } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import { click, paste, press, select, type } from '../../../testing/events.ts';
import { failed } from '../../../testing/fake-api.ts';
import { button, field, one, pageText, texts } from '../../../testing/queries.ts';
import { render } from '../../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createTestPage, project, type TestPage } from '../../../testing/test-page.ts';
import { StartBox } from './start-box.tsx';
import StartDialog from './start-dialog.tsx';

const agent = (cliType: string, name: string, part: Partial<ProviderSummary> = {}): ProviderSummary => ({
  cliType,
  name,
  available: true,
  capabilities: { images: false, untrustedFolders: true } as ProviderSummary['capabilities'],
  ...part,
});
const claude = agent('claude-code', 'Claude Code', { version: '2.1.325' });
const codex = agent('codex', 'Codex', {
  capabilities: { untrustedFolders: false } as ProviderSummary['capabilities'],
});
const absent = agent('gemini', 'Gemini CLI', { available: false, reason: "Gemini CLI isn't installed." });
const models = ['small', 'large'].map((id) => ({ id, name: id }));

type Setup = { projects?: readonly Project[]; projectId?: string };

async function openForm({ projects = [project({ branch: 'main' })], projectId }: Setup = {}) {
  const page = createTestPage();
  page.answer('project.list', { ok: true, value: { projects } });
  page.answer('workbench.providers', { ok: true, value: { providers: [claude, codex, absent] } });
  page.answer('session.prepare', { ok: true, value: { info: { models, modelId: 'small' } } });
  page.answer('session.create', { ok: true, value: { sessionId: 'made', cliType: 'claude-code', projectId: 'p' } });
  await act(async () => page.workbench.directory.refresh());
  const state = { isClosed: false };
  const close = await render(
    page,
    <StartDialog {...(projectId !== undefined && { projectId })} onClose={() => (state.isClosed = true)} />,
  );
  return { page, state, close };
}
const message = (): HTMLTextAreaElement => field('First message');
const created = (page: TestPage): unknown => page.callsOf('session.create').at(-1)?.[0];
const sent = (page: TestPage): unknown[] => page.callsOf('session.send').map(([id, body]) => [id, body]);
const prepared = (page: TestPage): unknown[] => page.callsOf('session.prepare').map(([body]) => body);

describe('the form of a new session', () => {
  it('creates the session with its first message on Enter, and shows it', async () => {
    const { page, state } = await openForm();
    expect(document.activeElement).toBe(message());
    await type(message(), 'Add pagination');
    expect(page.callsOf('session.create')).toEqual([]);
    await press('Enter');
    expect(created(page)).toMatchObject({ projectId: 'p', cliType: 'claude-code' });
    expect(sent(page)).toEqual([
      ['made', { content: 'Add pagination', clientMessageId: expect.any(String) as string }],
    ]);
    expect(page.workbench.tabs.get().active).toBe('made');
    expect(state.isClosed).toBe(true);
  });

  it('prepares the agent while the user writes, once, and again for another one', async () => {
    const { page } = await openForm({ projects: [project()] });
    expect(prepared(page)).toEqual([{ projectId: 'p', cliType: 'claude-code' }]);
    await type(message(), 'Add');
    expect(prepared(page)).toHaveLength(1);
    await click(field('Codex'));
    expect(prepared(page).at(-1)).toEqual({ projectId: 'p', cliType: 'codex' });
    expect(message().value).toBe('Add');
  });

  it('shows the version and account of each agent, and why others are unavailable', async () => {
    const { page } = await openForm();
    expect(texts('.agent-card-state')).toEqual(['2.1.325 · ready', 'Available']);
    expect(pageText()).toContain("Gemini CLI isn't installed.");
    page.answer('session.prepare', failed('Run codex login.', 'AGENT_AUTH_REQUIRED'));
    await click(field('Codex'));
    expect(texts('.agent-card-state')).toEqual(['2.1.325', 'not signed in']);
    expect(one('.start-failure').textContent).toContain('Run codex login.');
  });

  it('PK-1: installs a missing agent, with progress, and offers it without a reload', async () => {
    const missing = agent('codex', 'Codex', { available: false, reason: "Codex isn't installed.", install: true });
    const { page } = await openForm();
    page.answer('workbench.providers', { ok: true, value: { providers: [claude, missing, absent] } });
    await act(async () => page.workbench.directory.refresh());
    expect(texts('.agent-install')).toHaveLength(1);
    const failing = Promise.withResolvers<ApiResult<unknown>>();
    page.answer('workbench.installAgent', failing.promise);
    await click(button('Install Codex'));
    const [id, { onLine }] = page.callsOf('workbench.installAgent')[0] as [string, { onLine: (line: unknown) => void }];
    expect(id).toBe('codex');
    await act(async () => onLine({ state: 'installing', megabytes: 120, of: 450 }));
    expect(one('.agent-install').textContent).toBe('Installing Codex… 120 of about 450 MB');
    expect(one<HTMLProgressElement>('progress').value).toBe(120);
    const step = { megabytes: 0, of: 450 };
    await act(async () =>
      failing.resolve({ ok: true, value: { ...step, state: 'failed', message: 'Check the network.' } }),
    );
    expect(one('.agent-install [role="alert"]').textContent).toBe('Check the network.');
    page.answer('workbench.installAgent', { ok: true, value: { ...step, state: 'installed' } });
    page.answer('workbench.providers', { ok: true, value: { providers: [claude, codex, absent] } });
    await click(button('Try to install Codex again'));
    expect(texts('.agent-install')).toHaveLength(0);
    expect(texts('.agent-card-name')).toEqual(['Claude Code', 'Codex']);
  });

  it('sends the chosen options', async () => {
    const { page } = await openForm();
    await select(field<HTMLSelectElement>('Model'), 'large');
    await type(message(), 'Go');
    await press('Enter');
    expect(created(page)).toMatchObject({ options: { modelId: 'large' } });
  });

  it('shows where the session works, with its branch', async () => {
    await openForm();
    expect(texts('.place')[0]).toBe('This folder/work/repomain');
  });

  it('asks for trust before starting an agent that needs it, then continues with the written text', async () => {
    const { page } = await openForm({ projects: [project({ trusted: false })] });
    await click(field('Codex'));
    expect(texts('.agent-card-state')[1]).toBe('Requires trust');
    expect(prepared(page)).toHaveLength(1);
    await type(message(), 'Go');
    await press('Enter');
    expect(page.callsOf('session.create')).toEqual([]);
    await click(button('Trust and start Codex'));
    expect(page.callsOf('project.trust')).toEqual([['p', { trusted: true }]]);
    expect(created(page)).toMatchObject({ cliType: 'codex' });
    expect(sent(page)).toHaveLength(1);
  });

  it('WT-1: starts in a new worktree from a branch if the folder is a trusted repository', async () => {
    const { page } = await openForm();
    await click(field('New worktree'));
    await type(field<HTMLInputElement>('Base branch'), 'release');
    await type(field<HTMLInputElement>('New branch'), 'fix/limit');
    await type(message(), 'Fix the limit');
    await click(button('Start session'));
    expect(created(page)).toMatchObject({ place: { kind: 'worktree', base: 'release', branch: 'fix/limit' } });
  });

  it('WT-1: keeps the place of a draft through a reload, whatever the project’s default is', async () => {
    const projects = [project({ branch: 'main', defaultPlace: 'worktree' })];
    const first = await openForm({ projects });
    await type(message(), 'Fix the limit');
    await type(field<HTMLInputElement>('Base branch'), 'release');
    first.close();
    const second = await openForm({ projects });
    expect(message().value).toBe('Fix the limit');
    expect(field<HTMLInputElement>('Base branch').value).toBe('release');
    await click(field('This folder'));
    second.close();
    await openForm({ projects });
    expect(field('This folder').checked).toBe(true);
  });

  it('WT-1: preselects a new worktree if that is the project’s default', async () => {
    await openForm({ projects: [project({ branch: 'main', defaultPlace: 'worktree' })] });
    expect(field('New worktree').checked).toBe(true);
  });

  it('CM-1: starts from another branch, and asks before it uses untrusted agent settings', async () => {
    const { page } = await openForm();
    const files = ['.mcp.json'];
    const message = '"release" has different agent settings from the folder you trust: .mcp.json.';
    page.answer('compare.create', { ok: false, failure: { code: 'PROJECT_NOT_TRUSTED', message, details: { files } } });
    await click(field('Compare several agents or models'));
    await type(field('Base branch'), 'release');
    await type(field('First message'), 'Add pagination');
    await click(button('Start comparison'));
    expect(pageText()).toContain(message);
    page.answer('compare.create', { ok: true, value: { compareId: 'c' } });
    await click(button('Trust these settings and start'));
    const bodies = page.callsOf('compare.create').map(([body]) => body);
    expect(bodies).toMatchObject([{ base: 'release' }, { base: 'release', trustConfiguration: true }]);
  });

  it('CM-1: starts several agents or models with one message, and shows the comparison', async () => {
    const { page, state } = await openForm();
    const value = { compareId: 'c' };
    page.answer('compare.create', { ok: true, value });
    await click(field('Compare several agents or models'));
    expect(field<HTMLSelectElement>('Agent 2').value).toBe('codex');
    await click(button('Add candidate'));
    await select(field<HTMLSelectElement>('Agent 3'), 'claude-code');
    await select(field<HTMLSelectElement>('Model 3'), 'large');
    await click(button('Start comparison'));
    expect(pageText()).toContain('Write what the candidates should do.');
    await type(message(), 'Add pagination');
    await click(button('Start comparison'));
    expect(page.callsOf('compare.create')).toEqual([
      [
        {
          projectId: 'p',
          content: 'Add pagination',
          candidates: [{ cliType: 'claude-code' }, { cliType: 'codex' }, { cliType: 'claude-code', modelId: 'large' }],
        },
      ],
    ]);
    expect(page.workbench.comparing.shown.get()?.compareId).toBe('c');
    expect([state.isClosed, page.callsOf('session.create')]).toEqual([true, []]);
  });

  it('offers no worktree in an untrusted folder', async () => {
    await openForm({ projects: [project({ trusted: false, branch: 'main' })] });
    expect(texts('.place')).toHaveLength(1);
  });

  it('waits for a file that is still being attached', async () => {
    const { page } = await openForm();
    const attached = Promise.withResolvers<ApiResult<unknown>>();
    page.answer('file.attach', attached.promise);
    await type(message(), 'Read this');
    await paste([new File(['notes'], 'notes.txt')]);
    await press('Enter');
    expect(texts('[role=alert]')).toEqual(['Wait until the file is attached.']);
    await click(field('Compare several agents or models'));
    await click(button('Start comparison'));
    expect([page.callsOf('session.create'), page.callsOf('compare.create')]).toEqual([[], []]);
    await click(field('Compare several agents or models'));
    await act(async () => attached.resolve({ ok: true, value: { path: '/scratch/notes.txt', size: 5 } }));
    expect(texts('[role=alert]')).toEqual([]);
    await click(button('Start session'));
    const content = 'Read this\nAttached file (5 B): `/scratch/notes.txt`';
    expect(sent(page)).toMatchObject([['made', { content }]]);
  });

  it('opens an empty session without a message, replacing an unused one', async () => {
    const { page, close } = await openForm();
    await click(button('Start session'));
    const [, first] = page.workbench.tabs.all();
    close();
    await render(page, <StartDialog onClose={() => {}} />);
    await click(button('Start session'));
    const [, second, ...more] = page.workbench.tabs.all();
    expect([more, second === first]).toEqual([[], false]);
    expect(page.callsOf('session.create')).toEqual([]);
  });

  it('keeps the text when it is closed, and when another folder is chosen', async () => {
    const projects = [project(), project({ projectId: 'q', name: 'other', dir: '/q' })];
    const { page, close } = await openForm({ projects });
    await type(message(), 'Later');
    close();
    await render(page, <StartDialog projectId="q" onClose={() => {}} />);
    expect([message().value, field<HTMLSelectElement>('Project').value]).toEqual(['Later', 'q']);
  });

  it('starts with the last used folder and the agent last used there', async () => {
    const page = createTestPage();
    page.answer('project.list', {
      ok: true,
      value: { projects: [project(), project({ projectId: 'q', name: 'other', dir: '/q' })] },
    });
    page.answer('workbench.providers', { ok: true, value: { providers: [claude, codex] } });
    await page.list([summary({ sessionId: 'x', projectId: 'q', cliType: 'codex' })]);
    await act(async () => page.workbench.directory.refresh());
    await render(page, <StartDialog onClose={() => {}} />);
    expect(field<HTMLSelectElement>('Project').value).toBe('q');
    expect(field<HTMLInputElement>('Codex').checked).toBe(true);
  });
});

it('PK-1: the first screen offers only agents that can be installed', async () => {
  const page = createTestPage();
  const demo = agent('demo', 'Demo agent');
  const missing = agent('codex', 'Codex', { available: false, reason: "Codex isn't installed.", install: true });
  page.answer('project.list', { ok: true, value: { projects: [project()] } });
  page.answer('workbench.providers', { ok: true, value: { providers: [demo, missing, absent] } });
  await act(async () => page.workbench.directory.refresh());
  await render(page, <StartBox isFirst />);
  expect(texts('.agent-install')).toEqual(['Install Codex']);
});

it('has no primary button on the first screen while the message is empty', async () => {
  const { page, close } = await openForm();
  close();
  await render(page, <StartBox isFirst />);
  const isPrimary = (): boolean => button('Start session').classList.contains('button-primary');
  expect(isPrimary()).toBe(false);
  await type(message(), 'Add pagination');
  expect(isPrimary()).toBe(true);
});
