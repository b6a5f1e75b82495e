import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { createCell } from '../../state/base/cell.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage } from '../../testing/test-page.ts';
import { TypeAhead } from './type-ahead.tsx';

const press = (key: string, part: KeyboardEventInit = {}): Promise<boolean> =>
  act(async () => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...part });
    return document.activeElement?.dispatchEvent(event) ?? false;
  });

it('keeps text typed before the palette has loaded out of the composer', async () => {
  const text = createCell('');
  const onCancel = vi.fn();
  await render(createTestPage(), <TypeAhead text={text} onCancel={onCancel} />);
  for (const key of ['s', 'e', 'x', 'Backspace', 't', 'Shift']) expect(await press(key)).toBe(false);
  expect(text.get()).toBe('set');
  const dictated = new InputEvent('beforeinput', { data: 'tings', bubbles: true, cancelable: true });
  document.body.dispatchEvent(dictated);
  expect([text.get(), dictated.defaultPrevented]).toEqual(['settings', true]);
  expect(await press('k', { ctrlKey: true })).toBe(true);
  await press('Escape');
  expect(onCancel).toHaveBeenCalledOnce();
  expect(text.get()).toBe('');
});
