import { describe, expect, it } from 'vitest';
import type { SessionHistory } from '@liminal/contracts';
import { message } from '@liminal/domain/timeline/testing/messages';
import { click, paste, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, one, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { Composer } from './composer.tsx';

const commands = [
  { name: 'compact', description: 'Shorten the context' },
  { name: 'commit', description: 'Commit what changed' },
  { name: 'review' },
];

async function openComposer(history: Partial<SessionHistory> = {}, takesImages = true): Promise<TestPage> {
  const page = createTestPage(history);
  page.answer('project.files', {
    ok: true,
    value: {
      files: [
        { path: 'src', kind: 'folder' },
        { path: 'src/a b.ts', kind: 'file' },
      ],
    },
  });
  await render(page, <Composer canSteer takesImages={takesImages} machine={undefined} />);
  return page;
}
const input = (): HTMLTextAreaElement => field<HTMLTextAreaElement>('Message to Demo');
const sent = (page: TestPage): unknown[] => page.callsOf('session.send').map(([, body]) => body);
const chosen = (): string[] => texts('[role=option][aria-selected=true] .completion-name');

describe('completions', () => {
  it('lists matching commands, selects the first and announces it to a screen reader', async () => {
    await openComposer({ info: { commands } });
    await type(input(), '/com');
    expect(texts('[role=option] .completion-name')).toEqual(['/compact', '/commit']);
    expect(chosen()).toEqual(['/compact']);
    expect(input().getAttribute('aria-activedescendant')).toBe(one('[aria-selected=true]').id);
  });

  it.each(['Enter', 'Tab'])(
    'inserts the one chosen by arrow keys into the text on %s, and doesn’t send it',
    async (key) => {
      const page = await openComposer({ info: { commands } });
      await type(input(), '/com');
      await press('ArrowDown');
      expect(chosen()).toEqual(['/commit']);
      await press(key);
      expect(input().value).toBe('/commit ');
      expect(document.querySelector('[role=listbox]')).toBeNull();
      expect(sent(page)).toEqual([]);
    },
  );

  it('wraps around at both ends', async () => {
    await openComposer({ info: { commands } });
    await type(input(), '/');
    await press('ArrowUp');
    expect(chosen()).toEqual(['/review']);
    await press('ArrowDown');
    expect(chosen()).toEqual(['/compact']);
  });

  it('lists files of the worktree that the session works in', async () => {
    const page = await openComposer();
    await type(input(), '@s');
    expect(page.callsOf('project.files').at(-1)?.[1]).toEqual({ q: 's', limit: 12 });
    const place = { kind: 'worktree', folder: '/trees/fix', branch: 'fix', worktreeId: 'w' } as const;
    await page.list([summary({ place })]);
    expect(page.callsOf('project.files').at(-1)?.[1]).toEqual({ q: 's', limit: 12, worktreeId: 'w' });
  });

  it('closes on Escape without stopping the agent, and Enter then sends the text', async () => {
    const page = await openComposer({ info: { commands }, turns: [{ turnId: 't1', state: 'running' }] });
    await type(input(), '/com');
    await press('Escape');
    expect(document.querySelector('[role=listbox]')).toBeNull();
    expect(page.callsOf('session.cancel')).toEqual([]);
    await press('Enter');
    expect(sent(page)).toMatchObject([{ content: '/com' }]);
  });

  it('inserts a line break on Shift+Enter while the list is open', async () => {
    await openComposer({ info: { commands } });
    await type(input(), '/com');
    await press('Enter', { shiftKey: true });
    expect(input().value).toBe('/com\n');
  });

  it('requests matching files, and sends the chosen one as a mention', async () => {
    const page = await openComposer();
    await type(input(), 'Look at @src');
    expect(page.callsOf('project.files')).toMatchObject([['p', { q: 'src' }, {}]]);
    expect(texts('[role=option] .completion-name')).toEqual(['src/', 'src/a b.ts']);
    await press('ArrowDown');
    await press('Enter');
    expect(input().value).toBe('Look at @"src/a b.ts" ');
    await press('Enter');
    expect(sent(page)).toMatchObject([{ content: 'Look at @"src/a b.ts"', mentions: ['src/a b.ts'] }]);
  });

  it('sends no mention of a file that was deleted from the text', async () => {
    const page = await openComposer();
    await type(input(), '@a');
    await press('ArrowDown');
    await press('Enter');
    await type(input(), 'Nothing');
    await press('Enter');
    expect(sent(page)).toEqual([{ content: 'Nothing', clientMessageId: 'c1' }]);
  });
});

describe('earlier messages', () => {
  const entries = ['first', 'second'].map((content, index) =>
    message(`t${index}:0:0`, { turnId: `t${index}`, content, origin: 'user', order: index }),
  );

  it('are recalled with the arrow keys in an empty field, and cleared again', async () => {
    await openComposer({ entries });
    await press('ArrowUp');
    expect(input().value).toBe('second');
    await press('ArrowUp');
    expect(input().value).toBe('first');
    await press('ArrowDown');
    await press('ArrowDown');
    expect(input().value).toBe('');
  });

  it('leave a text alone that the user is writing', async () => {
    await openComposer({ entries });
    await type(input(), 'mine');
    await press('ArrowUp');
    expect(input().value).toBe('mine');
  });
});

describe('images', () => {
  const png = (name: string): File =>
    new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], name, { type: 'image/png' });
  const pictures = (): string[] =>
    [...document.querySelectorAll('.attachment img')].map((img) => img.getAttribute('alt') ?? '');

  it('are pasted next to the text, shown, and sent with it or alone', async () => {
    const page = await openComposer();
    await paste([png('shot.png')]);
    await expect.poll(pictures).toEqual(['shot.png']);
    expect(button('Send').disabled).toBe(false);
    await press('Enter');
    expect(sent(page)).toMatchObject([
      { content: '', images: [{ mimeType: 'image/png', name: 'shot.png', data: 'iVBORw0KGgo=' }] },
    ]);
    expect(pictures()).toEqual([]);
  });

  it('can be removed', async () => {
    await openComposer();
    await paste([png('one.png'), png('two.png')]);
    await expect.poll(pictures).toEqual(['one.png', 'two.png']);
    await click(button('Remove one.png'));
    expect(pictures()).toEqual(['two.png']);
  });

  it('are rejected with a reason if a file only claims to be one', async () => {
    await openComposer();
    await paste([new File(['<svg>'], 'fake.png', { type: 'image/png' }), png('real.png')]);
    await expect.poll(pictures).toEqual(['real.png']);
    expect(texts('[role=alert]').join()).toContain('fake.png');
  });

  it('FL-4: a text that is too long for the message becomes a file that the message mentions', async () => {
    const page = await openComposer();
    page.answer('file.attach', { ok: true, value: { path: '/data/attachments/1/pasted.txt', size: 20_001 } });
    await paste([], 'x'.repeat(20_000));
    expect(page.callsOf('file.attach')).toEqual([]);
    await paste([], 'x'.repeat(20_001));
    await expect.poll(() => input().value).toMatch(/^Pasted text \(.+\): `\/data\/attachments\/1\/pasted\.txt`$/);
  });

  it('FL-4: other files are written to disk and mentioned in the message if the agent doesn’t accept them', async () => {
    const page = await openComposer({}, false);
    page.answer('file.attach', { ok: true, value: { path: '/data/attachments/1/shot.png', size: 2048 } });
    expect(buttonNames()).not.toContain('Attach images');
    await paste([png('shot.png')]);
    await expect.poll(() => input().value).toContain('`/data/attachments/1/shot.png`');
    expect(pictures()).toEqual([]);
    expect(page.callsOf('file.attach')).toMatchObject([['p', { name: 'shot.png' }]]);
    page.answer('file.attach', failed('This folder is on another machine.'));
    await paste([new File(['a'], 'notes.pdf')]);
    await expect.poll(() => texts('[role=alert]').join()).toContain('another machine');
  });
});
