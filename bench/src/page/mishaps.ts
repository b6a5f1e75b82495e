import { readdirSync, readFileSync } from 'node:fs';
import type { Row } from '../bench.ts';
import type { Ours } from './contenders/ours.ts';

/** The processes of Claude Code below the server. */
function agentsOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map<number, number>();
  for (const name of all) {
    try {
      parents.set(Number(name), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]));
    } catch {
      // It ended while the list was read.
    }
  }
  const isBelow = (child: number): boolean => child === pid || (parents.has(child) && isBelow(parents.get(child) ?? 0));
  return [...parents.keys()].filter((child) => {
    if (child === pid || !isBelow(child)) return false;
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('claude');
    } catch {
      return false;
    }
  });
}

/** What happens when things go wrong in the middle of an answer. */
export async function mishaps(ours: Ours): Promise<Row[]> {
  const page = await ours.newSession();
  const log = page.locator('.pane-active [role=log]');
  const say = async (message: string): Promise<void> => {
    await ours.write(page, message);
    await page.keyboard.press('Enter');
  };
  const timed = async (task: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await task();
    return performance.now() - began;
  };

  await say('@words 4000 100');
  await log.getByText(/\bw50\b/).waitFor();
  await page.reload({ waitUntil: 'commit' });
  const reloaded = await timed(() => log.getByText(/\bw50\b/).waitFor());
  await log.getByText(/\bw300\b/).waitFor();
  const twice = await log.getByText('@words 4000 100').count();

  // The one that answers; the spare is another.
  const killed = await timed(async () => {
    for (const pid of agentsOf(ours.pid)) process.kill(pid, 'SIGKILL');
    await page.getByText('Claude Code stopped unexpectedly').waitFor();
  });
  await page.reload();
  await page.getByText('Claude Code stopped unexpectedly').waitFor();

  await say('@bash touch never-made');
  await page.locator('.permission').waitFor();
  await page.reload({ waitUntil: 'commit' });
  const asked = await timed(() => page.locator('.permission').waitFor());
  await page.getByRole('button', { name: /^Stop/ }).click();
  await page.locator('.permission').waitFor({ state: 'hidden' });

  await say('@words 4000 80');
  await log
    .getByText(/\bw60\b/)
    .last()
    .waitFor();
  const gone = await timed(async () => {
    await ours.killServer();
    await page.getByText('The connection to the server is lost').waitFor();
  });
  const back = await timed(async () => {
    await ours.restart();
    await page.getByText('The connection to the server is lost').waitFor({ state: 'hidden' });
    await log
      .getByText(/\bw60\b/)
      .last()
      .waitFor();
  });
  const row = (measure: string, value: number, budget?: Row['budget']): Row => ({
    measure,
    value,
    unit: 'ms',
    ...(budget === undefined ? {} : { budget }),
  });
  return [
    row('reload in mid-answer: earlier words back', reloaded),
    { measure: 'reload in mid-answer: the person’s message is there so many times', value: twice, unit: '' },
    row('agent killed: said, and still said after a reload', killed, 'a dead agent is told'),
    row('permission pending, reload: asked again', asked),
    row('server killed: said', gone, 'a dead server is told'),
    row('server started anew: connected again, earlier words kept (its start is in it)', back),
  ];
}
