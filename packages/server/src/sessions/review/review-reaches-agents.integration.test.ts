import type { Project } from '@liminal/contracts';
import type { LoggedRequest } from '@liminal/stand-ins/model-server';
import { describe, expect, it } from 'vitest';
import { createTestRepository } from '../../git/testing/test-repository.ts';
import { startClaudeUnderTest } from '../../providers/claude/testing/claude-under-test.ts';
import { startNative } from '../../providers/codex/testing/native-under-test.ts';
import type { CliProvider } from '../../providers/provider.ts';
import { startTestServer } from '../../testing/test-server.ts';

type RealAgent = {
  readonly provider: CliProvider;
  readonly model: { readonly requests: readonly LoggedRequest[] };
  cleanup(): Promise<void>;
};

const agents: readonly (readonly [string, () => Promise<RealAgent>])[] = [
  ['Claude Code', () => startClaudeUnderTest()],
  ['Codex', () => startNative()],
];

/** Every text in a request to the model. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

describe('a review', () => {
  it.each(agents)(
    'RV-5: reaches the model of %s as one whole message, unchanged',
    async (_, start) => {
      const agent = await start();
      const repository = createTestRepository();
      repository.put('src/a.ts', 'one();\ntwo();\nthree();\n');
      repository.put('odd name, line 3.md', '# Title\n');
      repository.commit();
      repository.put('src/a.ts', 'one();\n2();\nthree();\n');
      repository.put('odd name, line 3.md', '# Title\n\n```\ncode\n```\n');
      const server = await startTestServer({ folder: repository.dir, others: [agent.provider] });
      try {
        const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
        await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
        const create = { cliType: agent.provider.cliType, projectDir: repository.dir };
        const { sessionId } = (await server.call<{ sessionId: string }>('POST', '/api/session/create', create)).body;
        const url = `/api/session/${sessionId}`;
        const comment = { scope: 'uncommitted', side: 'new', startLine: 2, endLine: 2 };
        await server.call('POST', `${url}/comments`, { ...comment, path: 'src/a.ts', text: 'Use a word.' });
        const whole = { startLine: 3, endLine: 5, path: 'odd name, line 3.md', text: 'Which language?\nSay it.' };
        await server.call('POST', `${url}/comments`, { ...comment, ...whole });
        expect((await server.call('POST', `${url}/review`, { note: 'Please look again.' })).status).toBe(202);
        const message = [
          'Please look again.',
          '### 1. odd name, line 3.md, lines 3-5\n\n````md\n```\ncode\n```\n````\n\nWhich language?\nSay it.',
          '### 2. src/a.ts, line 2\n\n```ts\n2();\n```\n\nUse a word.',
        ].join('\n\n');
        const seen = () =>
          agent.model.requests.flatMap(({ body: sent }) => textsIn(sent)).filter((text) => text === message);
        await expect.poll(() => seen().length, { timeout: 60_000 }).toBeGreaterThan(0);
      } finally {
        await server.close();
        await agent.cleanup();
        repository.cleanup();
      }
    },
    120_000,
  );
});
