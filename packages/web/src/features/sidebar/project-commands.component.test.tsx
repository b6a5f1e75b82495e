import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { TerminalSummary } from '@liminal/contracts';
import { click } from '../../testing/events.ts';
import { button, buttonNames, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, project } from '../../testing/test-page.ts';
import { portAddress } from '../../ui/port-links.tsx';
import { ProjectCommands } from './project-commands.tsx';

const commands = [
  { name: 'Dev server', command: 'npm run dev' },
  { name: 'Tests', command: 'npm test' },
];
const terminal = (part: Partial<TerminalSummary> = {}): TerminalSummary => ({
  terminalId: 't1',
  kind: 'command',
  projectId: 'p',
  title: 'Dev server',
  folder: '/work/repo',
  command: 'npm run dev',
  createdAt: '2026-01-01T00:00:00.000Z',
  cols: 80,
  rows: 24,
  running: true,
  ...part,
});

async function show(terminals: readonly TerminalSummary[]) {
  const page = createTestPage();
  await render(page, <ProjectCommands project={project({ commands })} onChosen={() => {}} />);
  const list = (next: readonly TerminalSummary[]) =>
    act(async () => void page.workbench.terminals.hear({ type: 'terminals:changed', terminals: [...next] }));
  await list(terminals);
  return { page, list };
}

describe('TM-5: saved commands in the sidebar', () => {
  it('show their state', async () => {
    const { list } = await show([]);
    expect(texts('.command-link')).toEqual(['Dev server', 'Tests']);
    await list([terminal()]);
    expect(texts('.command-state')).toEqual(['Running']);
    await list([terminal({ ports: [{ port: 5173, reach: 'loopback' }] })]);
    expect(document.querySelector<HTMLAnchorElement>('a.port-link')?.href).toBe('http://localhost:5173/');
    await list([terminal({ running: false, exitCode: 2 })]);
    expect(texts('.command-state')).toEqual(['Exit 2']);
    await list([terminal({ running: false, exitCode: null })]);
    expect(texts('.command-state')).toEqual(['Ended by a signal']);
  });

  it('run by name, replacing their last run, and are shown if they are already running', async () => {
    const { page, list } = await show([terminal({ running: false, exitCode: 1 })]);
    await click(button('Run Dev server'));
    expect(page.callsOf('terminal.remove')).toEqual([['t1']]);
    expect(page.callsOf('terminal.open')).toEqual([['p', { command: 'npm run dev', title: 'Dev server' }]]);
    await list([terminal({ terminalId: 't2' })]);
    expect(buttonNames()).toContain('Stop Dev server');
    await click(document.querySelector('.command-link') as HTMLElement);
    expect(page.workbench.terminals.chosen.get()).toBe('t2');
    expect(page.callsOf('terminal.open')).toHaveLength(1);
    await click(button('Stop Dev server'));
    expect(page.callsOf('terminal.remove').at(-1)).toEqual(['t2']);
  });
});

describe('TM-6: the address of a port', () => {
  it.each([
    ['127.0.0.1', 'loopback', 'http://localhost:80/'],
    ['box.example', 'any', 'http://box.example:80/'],
    ['box.example', 'loopback', null],
  ] as const)('seen from %s, open on %s, is %s', (hostname, reach, address) => {
    expect(portAddress({ port: 80, reach }, hostname)).toBe(address);
  });
});
