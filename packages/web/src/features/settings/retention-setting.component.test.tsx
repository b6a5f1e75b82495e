import { describe, expect, it } from 'vitest';
import { click, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage } from '../../testing/test-page.ts';
import { RetentionSetting } from './retention-setting.tsx';

const outputs = (): HTMLInputElement => field('Days to keep full tool output');
const decisions = (): HTMLInputElement => field('Days to keep permission decisions');
const retention = { outputDays: 90, decisionDays: 365 };

async function openSetting(answer = { ok: true, value: { agentEnv: [], startedWith: [], retention } } as const) {
  const page = createTestPage();
  page.answer('workbench.preferences', answer);
  await render(page, <RetentionSetting />);
  return page;
}

describe('data retention', () => {
  it('shows the current periods, and saves both', async () => {
    const page = await openSetting();
    expect([outputs().value, decisions().value]).toEqual(['90', '365']);
    await type(outputs(), '0');
    await click(button('Save retention'));
    expect(page.callsOf('workbench.savePreferences')).toEqual([[{ retention: { outputDays: 0, decisionDays: 365 } }]]);
    expect(texts('.field-hint')).toEqual(['Saved. The server removes older data within a day.']);
  });

  it.each(['', '-1', '1.5', '99999'])('saves nothing if a period is “%s”, and says what to enter', async (days) => {
    const page = await openSetting();
    await type(decisions(), days);
    await click(button('Save retention'));
    expect(page.callsOf('workbench.savePreferences')).toEqual([]);
    expect(texts('.field-error').join()).toMatch(/^Enter .* days.*\.$/);
  });

  it('shows why it couldn’t be saved', async () => {
    const page = await openSetting();
    page.answer('workbench.savePreferences', failed('The disk is full.'));
    await click(button('Save retention'));
    expect(texts('.field-error')).toEqual(['The disk is full.']);
  });

  it('can’t be changed before the settings have loaded', async () => {
    const page = createTestPage();
    page.answer('workbench.preferences', failed('The server is gone.'));
    await render(page, <RetentionSetting />);
    expect([outputs().disabled, decisions().disabled, button('Save retention').disabled]).toEqual([true, true, true]);
    expect(texts('.field-error')).toEqual(['The server is gone.']);
  });
});
