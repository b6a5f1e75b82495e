import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { claudeHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { growClaudeRecord } from '@liminal/stand-ins/grow-claude-record';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { startOurs } from '../agents/first-token-through-us.ts';
import type { Bench } from '../bench.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const sizes = { small: 500_000, large: 50_000_000 };

export const largeRecord: Bench = {
  name: 'large-record',
  title: 'A 50 MB session that Claude Code created in a terminal',
  measures:
    'From the request over HTTP to the newest page on the socket, for a session that was never opened before. No agent starts. The baseline is a session of 0.5 MB.',
  async run(mode) {
    const model = await startStandInModel();
    const [home, folder] = [claudeHome(model), projectFolder()];
    const ours = await startOurs('claude-code', folder.dir, home.env);
    const took = { small: [] as number[], large: [] as number[] };
    try {
      await ours.firstToken('@shell echo a line of output\n@text One answer of many.');
      const records = join(home.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', folder.dir.replace(/[^a-zA-Z0-9]/g, '-'));
      const source = join(records, `${ours.lastSession()}.jsonl`);
      for (let round = 0; round < (mode === 'quick' ? 3 : 10); round += 1) {
        for (const size of ['small', 'large'] as const) {
          const sessionId = randomUUID();
          await growClaudeRecord(join(records, `${sessionId}.jsonl`), source, sizes[size]);
          took[size].push(await ours.openRecord(sessionId));
        }
      }
    } finally {
      await ours.stop();
      await model.close();
      home.cleanup();
      folder.cleanup();
    }
    const [value, baseline] = [median(took.large), median(took.small)];
    return {
      rows: [
        {
          measure: 'newest page of 50 MB, compared with 0.5 MB',
          value,
          unit: 'ms',
          noise: noiseOf(took.large),
          baseline,
          ratio: value / baseline,
          budget: 'a large record opens',
        },
      ],
    };
  },
};
