import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import type { AgentSpawner } from '../../../processes/spawn-agent.ts';
import { createSessionHub } from '../../kit/session-hub.ts';
import { defaultLimits } from '../process/claude-deps.ts';
import { createClaudeSession } from './claude-session.ts';

const projectDir = mkdtempSync(join(tmpdir(), 'liminal-claude-session-'));
afterAll(() => rmSync(projectDir, { recursive: true }));

test.each(['kill', 'close'] as const)('starts no process for a message if %s comes first', async (end) => {
  const spawn = vi.fn<AgentSpawner['spawn']>(() => Promise.reject(new Error('started')));
  const session = createClaudeSession({
    deps: {
      spawner: { spawn, close: () => Promise.resolve() },
      log: silentLog,
      env: {},
      now: () => 0,
      newId: () => 'id',
      limits: defaultLimits,
    },
    hub: createSessionHub(silentLog),
    sessionId: 's',
    agentSessionId: 's',
    projectDir,
    options: {},
    recorded: false,
    hold: () => Promise.resolve(),
    onCrash: () => {},
    onAgentSession: () => {},
    findRecord: () => Promise.resolve(undefined),
    onRecordChanged: () => {},
  });
  const sending = session.send('hello', {});
  sending.catch(() => {});
  await session[end]();
  await expect(sending).rejects.toMatchObject({ code: 'SESSION_DEAD' });
  expect(spawn).not.toHaveBeenCalled();
});
