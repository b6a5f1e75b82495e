import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Mode, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import { followGrep, type Project, readTree } from './ask-files.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const job = new URL('../jobs/files-job.ts', import.meta.url);
const files = 50_000;
const folders = 1_250;
/** One file in 200 contains it: a search reads for a long time, but finds something soon. */
const needle = 'sameEverywhere';
type Opened = Project & { readonly folder: string };

/** A repository of 50,000 files and 1 GB: texts of 20 kB, of which a few contain the needle. */
function make(folder: string, bytes: number): void {
  const line = 'export const value = compute(options.perMinute, 7919); // some text of usual length\n';
  const text = line.repeat(Math.ceil(bytes / files / line.length));
  const found = `${text}const ${needle} = 1;\n`;
  for (let index = 0; index < folders; index += 1) {
    const place = join(folder, `part-${index % 25}`, `folder-${index}`);
    mkdirSync(place, { recursive: true });
    for (let file = 0; file < files / folders; file += 1)
      writeFileSync(join(place, `file-${file}.ts`), file === 0 && index % 5 === 0 ? found : text);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '--message', 'all');
}

const hasRipgrep = (): boolean => {
  try {
    execFileSync('rg', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export const filesBench: Bench = {
  name: 'files',
  title: 'FL-1: a tree of 50,000 files, and searching 1 GB',
  isLong: true,
  measures:
    'A folder of 50,000 files and 1 GB (quick run: 100 MB) in 1,250 folders, created for the run. We measure the list of one folder through the route, with its git status, and a search through the route: until the first result, until all results, and from the moment the client disconnects until the server is idle again, with no thread and no ripgrep. Meanwhile the server records how late its own 5 ms timer fires because of its own work, not that of other programs: the longest time in which it served nothing else. Ours is the search without ripgrep; if `rg` is on the PATH, it is measured too.',
  async run(mode: Mode) {
    const rows: Row[] = [];
    const rounds = mode === 'quick' ? 3 : 7;
    const searches = ['ours', ...(hasRipgrep() ? ['ripgrep'] : [])];
    for (const search of searches) {
      // The server looks for ripgrep on its PATH.
      process.env['LIMINAL_BENCH_SEARCH'] = search;
      const host = await startHost(job);
      try {
        const project = await host.ask<Opened>('open');
        make(project.folder, (mode === 'quick' ? 100 : 1_000) * 1_000_000);
        const tree: number[] = [];
        const [first, all, cancelled]: [number[], number[], number[]] = [[], [], []];
        await readTree(project, '');
        await host.ask('watch');
        for (let round = 0; round < rounds; round += 1) {
          tree.push(await readTree(project, `part-${round}`));
          const whole = await followGrep(project, needle);
          first.push(whole.firstMs);
          all.push(whole.lastMs);
          await host.ask('rest');
          await followGrep(project, needle, { leavesAfterFirst: true });
          cancelled.push(await host.ask<number>('untilIdle'));
        }
        const blocked = await host.ask<number>('blocked');
        const row = (measure: string, values: readonly number[], budget?: Row['budget']): Row => ({
          measure: `${measure}, ${search}`,
          value: median(values),
          unit: 'ms',
          noise: noiseOf(values),
          ...(budget && { budget }),
        });
        rows.push(
          ...(search === 'ours' ? [row('one folder of the tree, with git', tree)] : []),
          row('first result of a search', first, 'FL-1 first result'),
          row('all results of a search', all),
          row('from cancelling to idle', cancelled, 'FL-1 a search is cancelled'),
          {
            measure: `longest time the server served nothing, ${search}`,
            value: blocked,
            unit: 'ms',
            budget: 'FL-1 the server is never blocked',
          },
        );
      } finally {
        await host.stop();
      }
    }
    return { rows, ...(searches.length === 1 && { remarks: ['`rg` isn’t installed on this machine.'] }) };
  },
};
