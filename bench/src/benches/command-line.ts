import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@liminal/client/connect';
import { builtMain, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Bench, Mode, Row } from '../bench.ts';
import { median, noiseOf } from '../statistics/quantile.ts';
import { tryAgain } from '../try-again.ts';

const launcher = fileURLToPath(new URL('../../../scripts/liminal.mjs', import.meta.url));

/** The requests of `ls`, and of `wait` with a full id, in a minimal script. */
const bareScript = `
import { get } from 'node:http';
const [base, token, sessionId] = process.argv.slice(2);
const headers = { authorization: 'Bearer ' + token };
const ask = (path) => new Promise((resolve, reject) => {
  get(base + path, { headers, agent: false }, (reply) => {
    let text = '';
    reply.setEncoding('utf8').on('data', (piece) => (text += piece)).on('end', () => resolve(JSON.parse(text)));
  }).on('error', reject);
});
if (sessionId === undefined) {
  const { projects } = await ask('/api/projects');
  const lists = await Promise.all(projects.map(({ projectId }) => ask('/api/session/list?projectId=' + projectId + '&scope=all')));
  console.log(lists.flatMap(({ sessions }) => sessions).map((session) => JSON.stringify(session)).join('\\n'));
  process.exit(0);
}
const socket = new WebSocket(base.replace('http', 'ws') + '/ws', { headers });
socket.onopen = () => socket.send(JSON.stringify({ type: 'session:subscribe', sessionId, encoding: 'append' }));
socket.onmessage = ({ data }) => {
  if (JSON.parse(data).type !== 'session:history') return;
  console.log('done');
  process.exit(0);
};
`;

/** Milliseconds from the start of a process to its end. */
async function took(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - began;
}

async function measure(mode: Mode): Promise<{ rows: Row[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-bench-'));
  const bare = join(folder, 'bare.mjs');
  writeFileSync(bare, bareScript);
  const program = startProgram({ main: builtMain, dataDir: join(folder, 'data'), env: { LIMINAL_DEMO_SPEED: '20' } });
  const found: Record<'ls' | 'bareLs' | 'wait' | 'bareWait', number[]> = { ls: [], bareLs: [], wait: [], bareWait: [] };
  try {
    const { url, token } = await program.ready;
    const base = new URL(url).origin;
    const client = connect({ url: base, token });
    const created = await client.session.create({ cliType: 'demo', projectDir: folder });
    if (!created.ok) throw new Error(created.failure.message);
    const { sessionId } = created.value;
    const sent = await client.open(sessionId).send('Say hello');
    if (!sent.ok) throw new Error(sent.failure.message);
    await client.open(sessionId).settled(sent.value.turnId);
    const env = { ...process.env, LIMINAL_DATA_DIR: join(folder, 'data') };
    for (let round = -1; round < (mode === 'quick' ? 3 : 15); round += 1) {
      const times = [
        await took([launcher, 'ls', '--json'], env),
        await took([bare, base, token], env),
        await took([launcher, 'wait', sessionId, '--json'], env),
        await took([bare, base, token, sessionId], env),
      ] as const;
      if (round < 0) continue;
      for (const [place, name] of (['ls', 'bareLs', 'wait', 'bareWait'] as const).entries())
        found[name].push(times[place] ?? 0);
    }
  } finally {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const row = (name: string, values: number[], baseline: number[]): Row => ({
    measure: name,
    value: median(values),
    unit: 'ms',
    noise: noiseOf(values),
    baseline: median(baseline),
    ratio: median(values) / median(baseline),
    budget: 'a command beside a bare script',
  });
  return { rows: [row('liminal ls', found.ls, found.bareLs), row('liminal wait', found.wait, found.bareWait)] };
}

export const commandLine: Bench = {
  name: 'command-line',
  title: 'Command line: ls and wait, compared with a bare script',
  measures:
    'From the start of the process to its end, with one finished session. The baseline, alternating with ours, is a script that makes the same requests with what Node has built in (`node:http` and its WebSocket), without schemas or options. A miss is measured again (at most twice, never in a quick run) and listed below the table.',
  async run(mode) {
    const { found, earlier } = await tryAgain(mode, () => measure(mode));
    return { ...found, remarks: earlier };
  },
};
