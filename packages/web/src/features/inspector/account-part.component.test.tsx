import { describe, expect, it } from 'vitest';
import type { SessionInfo } from '@liminal/contracts';
import { pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage } from '../../testing/test-page.ts';
import { AccountPart } from './account-part.tsx';

const show = async (info: SessionInfo): Promise<void> => {
  await render(createTestPage({ info }), <AccountPart />);
};
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('CX-1: the account of a session', () => {
  it('shows who is signed in and how much of each limit is used', async () => {
    await show({
      account: { kind: 'subscription', email: 'ada@example.com', plan: 'pro' },
      rateLimits: [
        { usedPercent: 31.4, windowMinutes: 300, resetsAt: inHours(2) },
        { usedPercent: 92, windowMinutes: 10_080 },
      ],
    });
    expect(pageText()).toContain('ada@example.com · pro');
    expect(texts('.inspector-limit')).toEqual(['5-hour limit31 % used, resets in 2 h', 'Weekly limit92 % used']);
    expect([...document.querySelectorAll('meter')].map((meter) => meter.getAttribute('value'))).toEqual(['31', '92']);
  });

  it('shows each MCP server with its state, and why one failed', async () => {
    await show({
      mcpServers: [
        { name: 'docs', state: 'ready' },
        { name: 'tracker', state: 'failed', message: 'No such file: tracker-server' },
      ],
    });
    expect(texts('.inspector-server')).toEqual(['docsReady', 'trackerFailedNo such file: tracker-server']);
  });

  it('shows nothing that the agent doesn’t report', async () => {
    await show({ account: { kind: 'none' } });
    expect(pageText()).toBe('');
  });
});
