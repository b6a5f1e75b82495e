import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startProgram } from '@liminal/stand-ins/testing/start-program';
import { expect, test } from 'vitest';
import { programFolder } from '../program/program-files.ts';

/** An agent that writes its PATH to a file and answers just enough to start a session. */
const agent = (file: string): string => `
  require('node:fs').writeFileSync(${JSON.stringify(file)}, process.env.PATH);
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = method === 'initialize' ? { protocolVersion: 1, agentCapabilities: {} } : { sessionId: 's1' };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });
`;

test('gives an agent the user’s PATH, without the programs of our packages', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-path-'));
  const seen = join(folder, 'path');
  const entry = { id: 'teller', command: process.execPath, args: ['-e', agent(seen)] };
  writeFileSync(join(folder, 'agents.json'), JSON.stringify([entry]));
  const ours = join(programFolder, 'node_modules', '.bin');
  // The PATH as `npm start` sets it.
  const program = startProgram({ dataDir: folder, env: { PATH: [ours, '/usr/bin', '/bin'].join(delimiter) } });
  try {
    const { port, token } = await program.ready;
    const post = (path: string, body: object): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const { projectId } = (await (await post('/api/projects', { dir: folder })).json()) as { projectId: string };
    await post(`/api/projects/${projectId}/trust`, { trusted: true });
    expect((await post('/api/session/create', { cliType: 'teller', projectId })).status).toBe(201);
    expect(readFileSync(seen, 'utf8')).toBe(['/usr/bin', '/bin'].join(delimiter));
  } finally {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
