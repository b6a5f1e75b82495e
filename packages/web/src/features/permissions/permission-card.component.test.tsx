import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PermissionOption, PermissionRequest } from '@liminal/contracts';
import { permission } from '@liminal/domain/timeline/testing/messages';
import { click, focus, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, one, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { PermissionPanel } from './permission-panel.tsx';

const options: PermissionOption[] = [
  { optionId: 'yes', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Allow always', kind: 'allow_always' },
  { optionId: 'never', name: 'Never', kind: 'reject_always' },
  { optionId: 'no', name: 'Refuse', kind: 'reject_once', description: 'Only this one' },
];
const request = (part: Partial<PermissionRequest> = {}): PermissionRequest => ({
  ...permission('r1'),
  options,
  ...part,
});

async function openCard(...requests: PermissionRequest[]): Promise<TestPage> {
  const page = createTestPage({ permissions: requests });
  await render(
    page,
    <>
      <PermissionPanel />
      <textarea id="composer-input" />
    </>,
  );
  return page;
}
const answers = (page: TestPage): unknown[] => page.callsOf('session.answer').map(([, body]) => body);
const card = (): HTMLElement => one('section.permission');
const reason = (): HTMLInputElement => one<HTMLInputElement>('.permission-answer input');
/** Opens the reason field with the button of a refusal. */
const refuse = (): Promise<void> => click(button('Refuse'));
const wait = (milliseconds: number): Promise<void> => act(async () => void vi.advanceTimersByTime(milliseconds));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

describe('the answers', () => {
  it.each(options.slice(0, 2))(
    'include “$name” as a button that answers with that option',
    async ({ name, optionId }) => {
      const page = await openCard(request());
      await click(button(name));
      expect(answers(page)).toEqual([{ requestId: 'r1', optionId }]);
    },
  );

  it.each(options.slice(2))('include “$name” as a button that asks for a reason first', async ({ name, optionId }) => {
    const page = await openCard(request());
    await click(button(name));
    expect(answers(page)).toEqual([]);
    await click(button(name));
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId }]);
  });

  it('say what each means beyond this request', async () => {
    await openCard(request());
    const meanings = texts('.permission-hints p').slice(0, 3);
    expect(meanings[0]).toMatch(/^Allow always .+/);
    expect(meanings[1]).toMatch(/^Never .+/);
    expect(meanings[2]).toBe('Refuse Only this one');
  });

  it('can be sent only once: the buttons are disabled while the answer is on its way', async () => {
    const page = await openCard(request());
    page.answer('session.answer', new Promise(() => {}));
    await click(button('Allow once'));
    await click(button('Allow always'));
    expect(button('Refuse').disabled).toBe(true);
    expect(answers(page)).toHaveLength(1);
  });

  it('can be sent again after the server rejected one, and show why', async () => {
    const page = await openCard(request());
    page.answer('session.answer', failed('The machine is gone.'));
    await click(button('Allow once'));
    expect(texts('[role=alert]')).toEqual(['The machine is gone.']);
    await click(button('Allow always'));
    expect(answers(page)).toMatchObject([{ optionId: 'yes' }, { optionId: 'always' }]);
  });
});

describe('the keys', () => {
  it('stay with the composer: the card doesn’t take the focus by itself', async () => {
    const page = createTestPage();
    await render(page, <textarea id="composer-input" />);
    await focus(one('#composer-input'));
    await openCard(request());
    await wait(5000);
    expect(document.activeElement).toBe(document.querySelector('#composer-input'));
  });

  it('answer nothing while the focus is elsewhere', async () => {
    const page = await openCard(request());
    await wait(5000);
    await focus(one('#composer-input'));
    for (const key of ['1', 'Escape', 'Enter']) await press(key);
    expect(answers(page)).toEqual([]);
  });

  it.each(['1', 'Escape'])('don’t answer in the first second, even with the focus on the card: %s', async (key) => {
    const page = await openCard(request());
    await focus(card());
    await wait(999);
    await press(key);
    expect(answers(page)).toEqual([]);
    expect(document.querySelector('.permission-answer input')).toBeNull();
    await wait(1);
    await press(key);
    expect(answers(page).length + document.querySelectorAll('.permission-answer input').length).toBe(1);
  });

  it('don’t refuse from the reason field in the first second', async () => {
    const page = await openCard(request());
    await refuse();
    await type(reason(), 'No');
    await wait(999);
    for (const key of ['Escape', 'Enter']) await press(key);
    expect(answers(page)).toEqual([]);
  });

  it('don’t press a focused button in the first second', async () => {
    const page = await openCard(request());
    await focus(button('Allow once'));
    await wait(999);
    await press('Enter');
    expect(answers(page)).toEqual([]);
    await wait(1);
    await press('Enter');
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'yes' }]);
  });

  it('start their second again for the next request', async () => {
    const page = await openCard(request(), request({ requestId: 'r2' }));
    await wait(1000);
    await page.hear((seq) => ({
      type: 'session:permission',
      sessionId: 's',
      epoch: 'e1',
      seq,
      payload: { state: 'answered', request: request(), optionId: 'yes' },
    }));
    await focus(card());
    await press('1');
    expect(answers(page)).toEqual([]);
  });

  it.each(options.map(({ optionId }, index) => [String(index + 1), optionId]))(
    'choose the options by their numbers: %s',
    async (key, optionId) => {
      const page = await openCard(request());
      await wait(1000);
      await focus(card());
      await press(key);
      if (optionId.startsWith('n')) await press('Enter');
      expect(answers(page)).toEqual([{ requestId: 'r1', optionId }]);
    },
  );

  it('refuse this request on Escape and Enter, go back on Escape, and allow nothing on Enter', async () => {
    const page = await openCard(request());
    await wait(1000);
    await focus(card());
    await press('Enter');
    expect(answers(page)).toEqual([]);
    await press('Escape');
    await press('Escape');
    expect(document.activeElement).toBe(card());
    await press('Escape');
    expect(answers(page)).toEqual([]);
    await press('Enter');
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'no' }]);
  });

  it('do nothing with Ctrl, Alt or Command held', async () => {
    const page = await openCard(request());
    await wait(1000);
    await focus(card());
    for (const held of ['ctrlKey', 'altKey', 'metaKey']) await press('1', { [held]: true });
    expect(answers(page)).toEqual([]);
  });
});

describe('the reason for refusing', () => {
  it('has no field until the user refuses, and its text is sent with the refusal', async () => {
    const page = await openCard(request());
    expect(document.querySelector('.permission-answer input')).toBeNull();
    await refuse();
    expect(document.activeElement).toBe(reason());
    await type(reason(), ' Use rg ');
    await refuse();
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'no', feedback: 'Use rg' }]);
  });

  it('refuses on Enter in its field', async () => {
    const page = await openCard(request());
    await wait(1000);
    await refuse();
    await type(reason(), 'No');
    await press('Enter');
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'no', feedback: 'No' }]);
  });

  it('isn’t sent with an answer that allows', async () => {
    const page = await openCard(request());
    await refuse();
    await type(reason(), 'Use rg');
    await click(button('Cancel'));
    await click(button('Allow once'));
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'yes' }]);
  });

  it('may contain numbers, which choose nothing', async () => {
    const page = await openCard(request());
    await wait(1000);
    await refuse();
    await focus(reason());
    await press('1');
    expect(answers(page)).toEqual([]);
  });
});

describe('the contents of the request', () => {
  it('show the full command, its purpose, and every other argument', async () => {
    const toolArguments = { command: 'rm -rf build', description: 'Start clean', timeout: 5 };
    await openCard(request({ title: 'Bash: rm -rf build', toolName: 'Bash', toolArguments }));
    expect(texts('.asked-command')).toEqual(['rm -rf build']);
    expect(pageText()).toContain('Start clean');
    expect(texts('.asked-values > div')).toEqual(['Timeout5', 'Demo saysStart clean']);
  });

  it('show hidden characters', async () => {
    await openCard(request({ toolArguments: { command: 'ls \u202e gpj.exe' } }));
    expect(texts('.asked-command').join()).not.toContain('\u202e');
    expect(texts('.asked-command').join()).toContain('202E');
  });

  it('show a change line by line, and the short name of its file once', async () => {
    await openCard(request({ diffs: [{ path: '/work/repo/a.ts', oldText: 'one\n', newText: 'two\n' }] }));
    expect(texts('h2')).toEqual(['Edit a.ts?']);
    expect(texts('.permission-lines')).toEqual(['+1 −1']);
    expect(texts('.diff-path')).toEqual([]);
    expect(texts('.diff-line.diff-removed .diff-text')).toEqual(['one']);
    expect(texts('.diff-line.diff-added .diff-text')).toEqual(['two']);
  });

  it('show a plan as text with its headings', async () => {
    await openCard(request({ kind: 'plan', toolArguments: { plan: '# First\n\nThen that' } }));
    expect(texts('.permission-asked h1')).toEqual(['First']);
  });

  it('show how many requests are waiting, oldest first', async () => {
    await openCard(request({ title: 'Older' }), request({ requestId: 'r2', title: 'Newer' }));
    expect(texts('h2')).toEqual(['Older']);
    expect(texts('.permission-count')).toEqual(['1 of 2']);
  });
});
