import { rmSync } from 'node:fs';
import type { Project } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CliProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { createScriptedProvider, type ScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { patience } from '../reliability/testing/torture.ts';
import { startTestCluster, type TestCluster, type TestNode } from './testing/test-cluster.ts';

let cluster: TestCluster;
afterEach(() => cluster.close());

const { capabilities } = createScriptedProvider();
const recorded = (sessionId: string) => [
  { sessionId, cliType: 'scripted', title: 'Recorded', updatedAt: '2026-01-01T00:00:00.000Z', size: 1 },
];
const presenceOf = (node: TestNode, sessionId: string) => node.cluster.directory.get(sessionId)?.node?.presence;
const takeOver = async (node: TestNode, sessionId: string) => {
  const { status, body } = await node.call('POST', `/api/session/${sessionId}/takeover`);
  return { status, ...body.error };
};
/** Folders of the user on this machine. */
const ownFolders = async (node: TestNode): Promise<string[]> => {
  const { projects } = (await node.call<{ projects: Project[] }>('GET', '/api/projects')).body;
  return projects.filter(({ node: mark }) => mark?.presence === 'here').map(({ dir }) => dir);
};

/** A session of a machine that is gone, as seen by another machine with this agent. */
async function orphan(agentHere: Partial<CliProvider>, provider?: ScriptedProvider) {
  cluster = await startTestCluster(1);
  const [owner] = cluster.nodes as [TestNode];
  const other = await cluster.add({ provider: provider ?? createScriptedProvider('scripted', agentHere, 'here') });
  await cluster.settled();
  const sessionId = await owner.newSession();
  await cluster.settled();
  await owner.cluster.close();
  await vi.waitFor(() => expect(presenceOf(other, sessionId)).toBe('gone'), patience);
  return { owner, other, sessionId };
}

describe('a refused takeover is explained and changes nothing:', () => {
  it.each<[string, Partial<CliProvider>, string, RegExp]>([
    [
      'an agent that cannot start here',
      { availability: async () => ({ available: false, reason: 'Install it first.' }) },
      'AGENT_NOT_INSTALLED',
      /^Scripted can't start on this machine\. Install it first\.$/,
    ],
    [
      'an agent that cannot reopen a session',
      { capabilities: { ...capabilities, load: false }, listSessions: async () => [] },
      'NOT_SUPPORTED',
      /^Scripted can't reopen a session .* Only node-1 can continue it/,
    ],
    [
      'an agent that cannot list its sessions',
      { capabilities: { ...capabilities, discover: false }, listSessions: async () => [] },
      'NOT_SUPPORTED',
      /^Scripted can't list the sessions it has kept/,
    ],
    [
      'an agent whose home the machines do not share',
      {},
      'NOT_SUPPORTED',
      /^Scripted keeps its record of this session on node-1 and can't find it here\./,
    ],
    [
      'an agent that fails when it is asked',
      {
        listSessions: async () => {
          throw new ProviderError('AGENT_AUTH_REQUIRED', 'Log in first.');
        },
      },
      'AGENT_AUTH_REQUIRED',
      /^Log in first\.$/,
    ],
  ])('%s', async (_name, agentHere, code, sentence) => {
    const { other, sessionId } = await orphan(agentHere);
    const refused = await takeOver(other, sessionId);
    expect(refused).toMatchObject({ code, message: expect.stringMatching(sentence) as string });
    expect([presenceOf(other, sessionId), await ownFolders(other)]).toEqual(['gone', []]);
  });

  it('an agent this machine does not have', async () => {
    const { other, sessionId } = await orphan({}, createScriptedProvider('another', {}, 'here'));
    const refused = await takeOver(other, sessionId);
    expect(refused).toMatchObject({ code: 'AGENT_NOT_INSTALLED', message: 'This machine has no agent "scripted".' });
  });

  it('a folder this machine does not have', async () => {
    const { owner, other, sessionId } = await orphan({});
    rmSync(owner.folder, { recursive: true });
    const refused = await takeOver(other, sessionId);
    expect(refused).toMatchObject({ status: 400, code: 'PROJECT_DIR_INVALID' });
    expect(refused.message).toBe(
      `This session works in a folder on node-1 that doesn't exist on this machine. The folder "${owner.folder}" doesn't exist.`,
    );
    expect([presenceOf(other, sessionId), await ownFolders(other)]).toEqual(['gone', []]);
  });

  it('a machine that is unreachable, which isn’t the same as gone', async () => {
    const { other, sessionId } = await orphan({});
    await cluster.redis.kill();
    await vi.waitFor(() => expect(presenceOf(other, sessionId)).toBe('unseen'), patience);
    const refused = await takeOver(other, sessionId);
    expect(refused).toMatchObject({ status: 503, code: 'NODE_UNREACHABLE' });
    expect(refused.message).toMatch(/^node-1 can't be reached right now/);
  });

  it('a folder that is not trusted here, until it is', async () => {
    const agentHere = {
      capabilities: { ...capabilities, untrustedFolders: false },
      listSessions: async () => recorded('node-1-1'),
    };
    const { owner, other, sessionId } = await orphan(agentHere);
    expect(sessionId).toBe('node-1-1');
    const refused = await takeOver(other, sessionId);
    expect(refused).toMatchObject({ code: 'PROJECT_NOT_TRUSTED' });
    expect(presenceOf(other, sessionId)).toBe('gone');
    // It is now listed, so the user can trust it.
    expect(await ownFolders(other)).toEqual([owner.folder]);
    const { projects } = (await other.call<{ projects: Project[] }>('GET', '/api/projects')).body;
    const here = projects.find(({ node }) => node?.presence === 'here');
    await other.call('POST', `/api/projects/${here?.projectId}/trust`, { trusted: true });
    expect(await takeOver(other, sessionId)).toMatchObject({ status: 200 });
    expect(presenceOf(other, sessionId)).toBe('here');
  });
});
