import { expect, it, vi } from 'vitest';
import { click, press } from '../testing/events.ts';
import { button, buttonNames } from '../testing/queries.ts';
import { render } from '../testing/render.tsx';
import { createTestPage } from '../testing/test-page.ts';
import { LongText } from './long-text.tsx';
import { PathContext } from './path-link.tsx';
import { TerminalOutput } from './terminal-output.tsx';

it('FL-2: tool output and messages link to the file places they mention, all in the same way', async () => {
  const open = vi.fn();
  await render(
    createTestPage(),
    <PathContext value={open}>
      <TerminalOutput text={'\u001b[31msrc/a.ts:3:7\u001b[0m - error\nat /w/b.js:1:2)'} />
      <LongText text="See @src/c.ts:4-9 please" mentions />
    </PathContext>,
  );
  expect(document.body.textContent).toContain('src/a.ts:3:7 - error\nat /w/b.js:1:2)See @src/c.ts:4-9 please');
  expect(buttonNames()).toEqual(['src/a.ts:3:7', '/w/b.js:1:2', '@src/c.ts:4-9']);
  for (const name of buttonNames()) await click(button(name));
  expect(open.mock.calls.map(([{ path, line, column }]) => [path, line, column])).toEqual([
    ['src/a.ts', 3, 7],
    ['/w/b.js', 1, 2],
    ['src/c.ts', 4, undefined],
  ]);
  open.mockClear();
  for (const key of ['Enter', ' ']) {
    button('src/a.ts:3:7').focus();
    await press(key);
  }
  expect(open).toHaveBeenCalledTimes(2);
});
