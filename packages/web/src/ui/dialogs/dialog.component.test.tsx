import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { one } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage } from '../../testing/test-page.ts';
import { Dialog } from './dialog.tsx';

const dispatch = (name: string, event: Event): Promise<boolean> => act(async () => one(name).dispatchEvent(event));

async function openDialogs() {
  const [onClose, onCloseInner] = [vi.fn(), vi.fn()];
  await render(
    createTestPage(),
    <Dialog title="Outer" onClose={onClose}>
      <input type="file" />
      <Dialog title="Inner" onClose={onCloseInner}>
        <p>Text</p>
      </Dialog>
    </Dialog>,
  );
  return { onClose, onCloseInner };
}

it('is closed by the page on Escape, before the browser does it', async () => {
  const { onClose, onCloseInner } = await openDialogs();
  // The browser would report it only after the next keys, which would reach the page behind.
  expect(await dispatch('dialog dialog', new Event('cancel', { cancelable: true }))).toBe(false);
  expect(onCloseInner).toHaveBeenCalledTimes(1);
  await dispatch('dialog dialog', new Event('close'));
  expect(onCloseInner).toHaveBeenCalledTimes(2);
  expect(onClose).not.toHaveBeenCalled();
});

it('stays open when the user chooses no file', async () => {
  const { onClose } = await openDialogs();
  await dispatch('input', new Event('cancel', { bubbles: true }));
  expect(onClose).not.toHaveBeenCalled();
});
