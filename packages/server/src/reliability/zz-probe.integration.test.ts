import { expect, it } from 'vitest';
import { startAgentServer } from './testing/agent-server.ts';

const script = `
const fs = require('node:fs');
const out = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') out({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
  if (method === 'session/new') out({ id, result: { sessionId: 's1' } });
});`;
it('probe', async () => {
  const server = await startAgentServer({ idleMs: 0, spec: { args: ['-e', script] }, agentLimits: { openMs: 6000 } });
  const { api } = server;
  const id = await api.newSession('recording', server.folder);
  await server.served.keeper.check();
  console.log('asleep', await api.status(id));
  const t0 = performance.now();
  await api.send(id, 'hello');
  console.log('sent', performance.now() - t0);
  console.log('cancel', (await api.call('POST', `/api/session/${id}/cancel`)).status, performance.now() - t0, (await api.history(id)).turns);
  console.log('kill', (await api.call('POST', `/api/session/${id}/kill`)).status, performance.now() - t0, (await api.history(id)).turns, await api.status(id));
  await server.close();
  expect(1).toBe(1);
});
