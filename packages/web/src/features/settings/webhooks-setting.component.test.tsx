import type { Webhook } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { click, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage } from '../../testing/test-page.ts';
import { WebhooksSetting } from './webhooks-setting.tsx';

const at = '2026-01-01T00:00:00.000Z';
const webhook: Webhook = {
  webhookId: 'w',
  url: 'https://example.org/hook',
  events: ['turn-failed'],
  allowPrivate: false,
  includeTitle: false,
  createdAt: at,
  pending: 2,
  last: { at, ok: false, message: 'The receiver answered 500.' },
};

async function openSetting(webhooks: readonly Webhook[] = []) {
  const page = createTestPage();
  page.answer('webhook.list', { ok: true, value: { webhooks } });
  await render(page, <WebhooksSetting />);
  return page;
}

describe('webhooks', () => {
  it('shows each with its events and last delivery, and removes it', async () => {
    const page = await openSetting([webhook]);
    expect(texts('.webhooks li').join()).toMatch(/hook.*A turn failed.*answered 500\..*2 waiting/);
    await click(button('Remove webhook https://example.org/hook'));
    expect(page.callsOf('webhook.remove')).toEqual([['w']]);
    expect(page.callsOf('webhook.list')).toHaveLength(2);
  });

  it('adds one, and shows its secret once', async () => {
    const page = await openSetting();
    page.answer('webhook.add', { ok: true, value: { ...webhook, secret: 'whsec_once' } });
    await click(button('Add webhook…'));
    await type(field('Address'), ' https://example.org/hook ');
    await click(field('A turn ended'));
    await click(field('Allow private addresses'));
    await click(button('Add webhook'));
    const events = ['needs-you', 'turn-failed'];
    const body = { url: 'https://example.org/hook', events, allowPrivate: true, includeTitle: false };
    expect(page.callsOf('webhook.add')).toEqual([[body]]);
    expect(texts('.webhook-secret code')).toEqual(['whsec_once']);
  });

  it('shows why one couldn’t be added, and keeps the input', async () => {
    const page = await openSetting();
    page.answer('webhook.add', failed('The name nowhere wasn’t found.'));
    await click(button('Add webhook…'));
    await type(field('Address'), 'nowhere');
    await click(button('Add webhook'));
    expect(texts('.field-error')).toEqual(['Enter an address that begins with https:// or http://.']);
    await type(field('Address'), 'https://nowhere/');
    await click(button('Add webhook'));
    expect(texts('.field-error')).toEqual(['The name nowhere wasn’t found.']);
    expect(field('Address').value).toBe('https://nowhere/');
    await click(button('Cancel'));
    expect(pageText()).not.toContain('nowhere');
  });
});
