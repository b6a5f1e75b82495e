import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench, Mode, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import { terminalInPage } from '../page/terminal-in-page.ts';
import { processMemory } from '../processes/process-memory.ts';
import { startProcess } from '../processes/start-process.ts';
import { median, noiseOf, quantile } from '../statistics/quantile.ts';
import { quietHalf } from '../statistics/quiet-half.ts';
import { type OpenTerminal, openBare, openOurs, type TerminalHost } from './open-terminal.ts';
import { tryAgain } from '../try-again.ts';

const job = new URL('../jobs/terminal-job.ts', import.meta.url);
const bareFile = fileURLToPath(new URL('./bare-pty-process.ts', import.meta.url));
const megabyte = 1024 * 1024;
const fileBytes = 32 * megabyte;
/** What the page shows per second, measured in Chromium; a terminal is read no faster than it is shown. */
const pageSpeed = 8 * megabyte;

type Side = 'ours' | 'bare';
type Round = Readonly<Record<Side, number>>;
type Open = (side: Side, command: string) => Promise<OpenTerminal>;

/** Waits for a newline, which is sent when everyone is ready. */
const ready = 'ready';
const printing = (file: string): string => `stty -opost -echo; printf ${ready}; read line; cat '${file}'`;
const echoing = `stty raw -echo; printf ${ready}; exec cat`;

async function throughput(open: Open, file: string, rounds: number): Promise<Round[]> {
  const found: Round[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const rates: Record<Side, number> = { ours: 0, bare: 0 };
    const sides: Side[] = round % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours'];
    for (const side of sides) {
      const terminal = await open(side, printing(file));
      await terminal.until(ready.length);
      const began = performance.now();
      terminal.type('\n');
      await terminal.until(ready.length + fileBytes);
      rates[side] = fileBytes / megabyte / ((performance.now() - began) / 1000);
      await terminal.close();
    }
    if (round >= 0) found.push(rates);
  }
  return found;
}

/** From the key to its echo, both sides in turns, with pauses like a user's. */
async function echoes(open: Open, rounds: number, keys: number): Promise<Round[]> {
  const terminals = { ours: await open('ours', echoing), bare: await open('bare', echoing) };
  await Promise.all(Object.values(terminals).map((terminal) => terminal.until(ready.length)));
  const found: Round[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const took: Record<Side, number[]> = { ours: [], bare: [] };
    for (let key = 0; key < keys; key += 1) {
      for (const side of ['ours', 'bare'] as const) {
        const terminal = terminals[side];
        const began = performance.now();
        terminal.type('x');
        await terminal.until(terminal.received + 1);
        took[side].push(performance.now() - began);
        await wait(5 + (key % 7));
      }
    }
    if (round >= 0) found.push({ ours: quantile(took.ours, 0.95), bare: quantile(took.bare, 0.95) });
  }
  await Promise.all(Object.values(terminals).map((terminal) => terminal.close()));
  return found;
}

/**
 * `yes` read as fast as a page shows it, and `yes` that nobody shows: memory, the echo of another terminal, and Ctrl+C.
 */
async function endless(host: TerminalHost, pid: number, seconds: number) {
  const neighbour = await openOurs(host, echoing);
  await neighbour.until(ready.length);
  const before = processMemory(pid).rss;
  const command = 'yes "a line of usual length that is printed without an end"';
  const shown = await openOurs(host, command, { showsPerSecond: pageSpeed });
  const unshown = await openOurs(host, command, { showsPerSecond: 1 });
  const echo: number[] = [];
  let most = before;
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    const typed = performance.now();
    neighbour.type('x');
    await neighbour.until(neighbour.received + 1);
    echo.push(performance.now() - typed);
    most = Math.max(most, processMemory(pid).rss);
    await wait(20);
  }
  const stopped = performance.now();
  shown.type('\u0003');
  let [last, count] = [stopped, shown.received];
  while (performance.now() - last < 500) {
    await wait(1);
    if (shown.received !== count) [last, count] = [performance.now(), shown.received];
  }
  const printed = shown.received / megabyte / seconds;
  await Promise.all([neighbour, shown, unshown].map((terminal) => terminal.close()));
  return { grown: most - before, echo: quantile(echo, 0.95), stopMs: last - stopped, printed };
}

function rowOf(measure: string, unit: string, rounds: readonly Round[], budget: Row['budget']): Row {
  const ours = rounds.map((round) => round.ours);
  const [value, baseline] = [median(ours), median(rounds.map((round) => round.bare))];
  return {
    measure,
    value,
    unit,
    noise: noiseOf(ours),
    baseline,
    ratio: value / baseline,
    ...(budget && { budget }),
  };
}

async function measure(mode: Mode): Promise<{ rows: Row[] }> {
  const [server, bare] = [await startHost(job), await startProcess(bareFile)];
  try {
    const host = await server.ask<TerminalHost>('open');
    const { port } = await bare.ask<{ port: number }>('open');
    const open: Open = (side, command) => (side === 'ours' ? openOurs(host, command) : openBare(port, command));
    const file = join(host.folder, 'printed.txt');
    const line = 'export const value = compute(options.perMinute, 7919); // some text of usual length\n';
    writeFileSync(file, line.repeat(Math.ceil(fileBytes / line.length)).slice(0, fileBytes));
    const rates = await throughput(open, file, mode === 'quick' ? 4 : 12);
    const keys = await echoes(open, mode === 'quick' ? 4 : 12, mode === 'quick' ? 50 : 100);
    const yes = await endless(host, server.pid, mode === 'quick' ? 5 : 20);
    const row = (measured: string, value: number, unit: string, budget?: Row['budget']): Row => ({
      measure: measured,
      value,
      unit,
      ...(budget && { budget }),
    });
    const fastest = quietHalf(rates, ({ ours, bare: plain }) => -ours - plain);
    const quietest = quietHalf(keys, ({ ours, bare: plain }) => ours + plain);
    return {
      rows: [
        rowOf('output of 32 MB', 'MB/s', fastest, 'TM-2 output beside a bare PTY'),
        rowOf('key to echo, P95', 'ms', quietest, 'TM-2 key to echo beside a bare PTY'),
        row('`yes`: read', yes.printed, 'MB/s'),
        row('`yes`: memory the server grows by at most', yes.grown, 'MB', 'TM-2 memory under endless output'),
        row('`yes`: key to echo in another terminal, P95', yes.echo, 'ms', 'TM-2 others under endless output'),
        row('`yes`: from Ctrl+C to the last byte', yes.stopMs, 'ms', 'TM-2 Ctrl+C stops the output'),
      ],
    };
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
  }
}

export const terminal: Bench = {
  name: 'terminal',
  title: 'TM-2: a terminal compared with a bare PTY over ws',
  measures:
    'A terminal through the route and the socket. The baseline is a process that starts the same program with the same PTY library and passes its output straight to a `ws` socket, without storing, sharing, batching or checking anything. Both sides alternate, each in its own process: `cat` of a 32 MB file, and a key that `cat` echoes, 5 to 11 ms after the previous one. Figures are from the half of the rounds that was quietest on both sides; a miss is measured again (at most twice). Then two programs print endlessly, one read at the 8 MB/s that a page shows and one that nobody shows, while keys are typed in a third terminal. In Chromium: the longest task while `yes` prints, and the time from Ctrl+C to the last change on the screen.',
  async run(mode) {
    const { found, earlier } = await tryAgain(mode, () => measure(mode));
    return { rows: [...found.rows, ...(await terminalInPage(mode))], remarks: earlier };
  },
};
