import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isTorture } from '../../reliability/testing/torture.ts';
import { providerContract } from '../testing/provider.contract.ts';
import { startOpencode } from './testing/opencode-under-test.ts';
import { opened, talkTo } from './testing/scripted-agent.ts';

/** It takes seconds of both cores to start. */
const patienceMs = 90_000;

// Another real agent, installed by the test setup; only the model is ours.
providerContract(
  'opencode',
  async () => {
    const opencode = await startOpencode();
    const file = join(opencode.projectDir, 'readme.txt');
    writeFileSync(file, 'from the tool\n');
    const tool = `@tool read ${JSON.stringify({ filePath: file })}\n@text done`;
    return { ...opencode, prompts: { text: '@text Hello from the stand-in', tool, slow: '@slow 200 50' } };
  },
  // Each start takes seconds. Codex and the demo agent run every case through the same code in each `npm test`; for
  // opencode only `npm run torture` does.
  { patienceMs, isWhole: isTorture },
);

test('opencode writes files through us, after the user has allowed it', { timeout: patienceMs }, async () => {
  const opencode = await startOpencode();
  const { provider, projectDir } = opencode;
  try {
    const talk = await talkTo(provider, projectDir, patienceMs);
    await provider.sendMessage(talk.sessionId, '@write notes/a.txt|written\n@text ok');
    const request = await opened(talk.asked, patienceMs);
    expect(existsSync(join(projectDir, 'notes/a.txt'))).toBe(false);
    await provider.resolvePermission?.(talk.sessionId, { requestId: request.requestId, optionId: 'once' });
    expect(await talk.ended()).toMatchObject({ status: 'completed' });
    expect(readFileSync(join(projectDir, 'notes/a.txt'), 'utf8')).toBe('written');
    expect(provider.capabilities).toMatchObject({ load: true, discover: true, fork: true, steer: false });
    expect(await provider.listSessions?.(projectDir)).toMatchObject([
      { sessionId: talk.sessionId, cliType: 'opencode' },
    ]);
    await provider.killSession(talk.sessionId);
    await vi.waitFor(async () => expect(await opencode.processes()).toEqual([]), { timeout: patienceMs });
  } finally {
    await opencode.cleanup();
  }
});
