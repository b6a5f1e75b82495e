import { describe, expect, it } from 'vitest';
import { createTestRepository } from '../../git/testing/test-repository.ts';
import { openTrusted, realAgents, textsIn } from '../../testing/real-agent.ts';
import { startTestServer } from '../../testing/test-server.ts';

describe('a review', () => {
  it.each(realAgents)(
    'RV-5: reaches the model of %s as one complete message, unchanged',
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
        const sessionId = await openTrusted(server, agent, repository.dir);
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
