import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '@liminal/contracts';
import { textOf } from '@liminal/domain/items/item-text';
import { type AgentHome, claudeHome, codexHome } from '@liminal/stand-ins/agent-homes';
import { type StandInModel, startStandInModel } from '@liminal/stand-ins/model-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { patience, testTimeout } from '../../reliability/testing/torture.ts';
import { type ProgramCluster, type ProgramNode, startProgramCluster } from '../testing/program-cluster.ts';

let model: StandInModel;
let homes: { readonly claude: AgentHome; readonly codex: AgentHome };
let cluster: ProgramCluster;
beforeAll(async () => {
  model = await startStandInModel();
  homes = { claude: claudeHome(model), codex: codexHome(model, { mode: 'workspace-write' }) };
  const env = { ...homes.codex.env, ...homes.claude.env, LIMINAL_AGENT_ENV: 'IS_SANDBOX' };
  // Real agents are heavy. On a busy machine, the surviving one must not miss its own lease.
  cluster = await startProgramCluster(2, { env, leaseSeconds: 6 });
}, testTimeout);
beforeEach(() => cluster.mend());
afterAll(async () => {
  await cluster.close();
  await model.close();
  for (const home of Object.values(homes)) home.cleanup();
});

const projectOf = async (node: ProgramNode, dir: string): Promise<Project> => {
  const { projects } = (await node.running().api.call<{ projects: Project[] }>('GET', '/api/projects')).body;
  const found = projects.find((project) => project.dir === dir && project.node?.presence === 'here');
  if (!found) throw new Error(`${node.name} has no ${dir}`);
  return found;
};
const turnsOf = async (node: ProgramNode, sessionId: string) =>
  (await node.running().api.history(sessionId)).turns.map(({ state }) => state);
const wordsOf = async (node: ProgramNode, sessionId: string) =>
  (await node.running().api.history(sessionId)).entries.map(textOf);
type Agent = {
  readonly cliType: string;
  /** The folder with its records. */
  readonly records: () => string;
  readonly needsTrust: boolean;
};
const agents: readonly (readonly [string, Agent])[] = [
  ['Claude Code', { cliType: 'claude-code', records: () => join(homes.claude.dir, '.claude'), needsTrust: false }],
  ['Codex', { cliType: 'codex', records: () => join(homes.codex.dir, '.codex/sessions'), needsTrust: true }],
];

describe('a session of a real agent whose home both machines share', () => {
  it.each(agents)(
    '%s: is taken over after its machine died mid-turn, continues the conversation, and stays when the machine returns',
    async (_name, { cliType, records, needsTrust }) => {
      const [owner, other] = cluster.nodes as [ProgramNode, ProgramNode];
      const { folder } = owner.recorded;
      const trust = async (node: ProgramNode): Promise<void> => {
        const { projectId } = await projectOf(node, folder);
        await node.running().api.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
      };
      const say = async (node: ProgramNode, content: string, turns: number): Promise<void> => {
        expect((await node.running().api.send(sessionId, content)).status).toBe(202);
        await vi.waitFor(async () => {
          const states = await turnsOf(node, sessionId);
          expect([states.length, states.at(-1)]).toEqual([turns, 'completed']);
        }, patience);
      };
      await owner.running().api.call('POST', '/api/projects', { dir: folder });
      if (needsTrust) await trust(owner);
      const sessionId = await owner.running().api.newSession(cliType, folder);
      await say(owner, '@text The password of the day is heron.', 1);
      await owner.running().api.call('PATCH', `/api/session/${sessionId}`, { title: 'Named by a person' });
      const { projectId } = await projectOf(owner, folder);
      await vi.waitFor(async () => {
        expect(await other.summary(projectId, sessionId)).toMatchObject({ title: 'Named by a person' });
        expect((await wordsOf(other, sessionId)).join()).toContain('is heron');
      }, patience);

      // In the middle of the next turn.
      await owner.running().api.send(sessionId, '@slow 2000 20');
      await vi.waitFor(async () => expect((await wordsOf(other, sessionId)).at(-1)).toMatch(/^w1 w2/), patience);
      await owner.running().kill();
      await cluster.sees(other, owner, 'gone');
      expect(await other.summary(projectId, sessionId)).toMatchObject({ node: { name: owner.name, presence: 'gone' } });
      const takeOver = () => other.running().api.call('POST', `/api/session/${sessionId}/takeover`);
      if (needsTrust) {
        expect(await takeOver()).toMatchObject({ status: 409, body: { error: { code: 'PROJECT_NOT_TRUSTED' } } });
        await trust(other);
      }
      const before = model.requests.length;
      expect(await takeOver()).toMatchObject({ status: 200, body: { sessionId, cliType } });
      // The received part of the interrupted answer is kept, as after a crash on one machine.
      const kept = await other.running().api.history(sessionId);
      const [answered, cutOff] = kept.turns;
      expect([kept.turns.length, answered?.state, cutOff?.state]).toEqual([2, 'completed', 'failed']);
      expect(cutOff?.ended).toMatchObject({ type: 'turn_error', errorCode: 'PROCESS_CRASH' });
      const half = kept.entries.filter(({ turnId }) => turnId === cutOff?.turnId);
      expect(half[0]).toMatchObject({ origin: 'user', content: '@slow 2000 20', status: 'complete' });
      expect(half.at(-1)).toMatchObject({ status: 'error', content: expect.stringMatching(/^w1 w2/) as string });
      const here = await projectOf(other, folder);
      await say(other, '@text And of tomorrow it is egret.', 3);

      // The model received everything said on the other machine, in one conversation.
      const asked = JSON.stringify(model.requests.slice(before).at(-1)?.body);
      for (const words of ['of the day is heron', 'of tomorrow it is egret']) expect(asked).toContain(words);
      const recorded = () =>
        readdirSync(records(), { recursive: true, encoding: 'utf8' }).filter((name) => /[\da-f]{8}\.jsonl$/.test(name));
      expect(recorded()).toEqual([expect.stringContaining(sessionId)]);
      expect(await other.summary(here.projectId, sessionId)).toMatchObject({
        title: 'Named by a person',
        node: { name: other.name, presence: 'here' },
      });
      expect((await wordsOf(other, sessionId)).filter((text) => text.includes('heron'))).toHaveLength(2);

      await owner.start();
      await cluster.sees(other, owner, 'there');
      await vi.waitFor(async () => {
        expect(await owner.summary(here.projectId, sessionId)).toMatchObject({ node: { name: other.name } });
      }, patience);
      await say(owner, '@text And then it is stork.', 4);
      await vi.waitFor(
        async () => expect(await wordsOf(owner, sessionId)).toEqual(await wordsOf(other, sessionId)),
        patience,
      );
      const last = JSON.stringify(model.requests.at(-1)?.body);
      for (const bird of ['heron', 'egret', 'stork']) expect(last).toContain(bird);
      expect(recorded()).toHaveLength(1);
    },
    testTimeout,
  );
});
