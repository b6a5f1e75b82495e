import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SessionPage } from './support/session-page.ts';
import { startRealAgents, type RealAgents } from './support/real-agents.ts';

const schema = {
  type: 'object',
  required: ['name', 'port'],
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2 },
    port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65_535 },
    secure: { type: 'boolean', title: 'Secure', default: true },
  },
};

/** A custom agent in its own process: it asks with a form and reports the answer it got. */
const agent = `
  const out = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const say = (text) => out({ method: 'session/update', params: { sessionId: 's1',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } });
  let prompt;
  const on = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
    'session/new': () => ({ sessionId: 's1' }),
    'session/load': () => ({}),
    'session/prompt': ({ id }) => {
      prompt = id;
      out({ id: 100, method: 'elicitation/create', params: { sessionId: 's1', mode: 'form',
        message: 'Where does it listen?', requestedSchema: ${JSON.stringify(schema)} } });
    },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id === 100) {
      say('I was told ' + JSON.stringify(message.result));
      return out({ id: prompt, result: { stopReason: 'end_turn' } });
    }
    const result = on[message.method]?.(message);
    if (result) out({ id: message.id, result });
  });
`;

let agents: RealAgents;
let sessions: SessionPage;
beforeAll(async () => {
  agents = await startRealAgents();
  const script = join(agents.projectDir, 'asking-agent.cjs');
  writeFileSync(script, agent);
  const entry = { id: 'asking', name: 'Asking agent', command: process.execPath, args: [script] };
  writeFileSync(join(agents.dataDir, 'agents.json'), JSON.stringify([entry]));
});
beforeEach(async () => {
  sessions = await agents.visit();
});
afterAll(() => agents.close());

it('PM-1: an ACP agent’s form is shown as a form, reports errors, and its answer reaches the agent', async () => {
  await sessions.start('Asking agent');
  await sessions.say('Set it up');
  await sessions.asked();
  await sessions.card.getByText('Where does it listen?').waitFor();
  await sessions.card.getByLabel('Name').fill('x');
  await sessions.card.getByText('Enter at least 2 characters.').waitFor();
  await sessions.card.getByLabel('Name').fill('box');
  await sessions.card.getByLabel('Port').fill('8080');
  await sessions.card.getByRole('button', { name: 'Send' }).click();
  await sessions.ended(1);
  await expect
    .poll(() => sessions.answer.innerText())
    .toContain('{"action":"accept","content":{"name":"box","port":8080,"secure":true}}');
});

it('PM-1: declining a form reaches the agent', async () => {
  await sessions.say('Once more');
  await sessions.asked();
  await sessions.card.getByRole('button', { name: 'Decline' }).click();
  await sessions.ended(2);
  await expect.poll(() => sessions.answer.innerText()).toContain('{"action":"decline"}');
});
