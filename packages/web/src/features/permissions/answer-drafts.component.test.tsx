import { describe, expect, it } from 'vitest';
import type { PermissionRequest } from '@liminal/contracts';
import { permission, permissionMessage } from '@liminal/domain/timeline/testing/messages';
import { click, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, one } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { PermissionPanel } from './permission-panel.tsx';

const options: PermissionRequest['options'] = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Refuse', kind: 'reject_once' },
];
const request = (part: Partial<PermissionRequest> = {}): PermissionRequest => ({
  ...permission('r1'),
  options,
  ...part,
});
const question = (requestId: string): PermissionRequest =>
  request({
    requestId,
    kind: 'question',
    questions: [
      { id: 'q1', question: 'Which colours?', multiSelect: true, options: [{ label: 'Red' }], freeText: true },
    ],
  });
const form = request({ kind: 'form', schema: { properties: { name: { type: 'string' } } } });

const colour = (): HTMLInputElement => field('Your own answer: Which colours?');
const reason = (): HTMLInputElement => one<HTMLInputElement>('.permission-answer input');

/** Shows the card of an open request; `switchTabs` shows another tab and then this one again. */
async function openCard(...permissions: PermissionRequest[]) {
  const page = createTestPage({ permissions });
  const panel = <PermissionPanel />;
  let hide = await render(page, panel);
  const switchTabs = async (): Promise<void> => {
    hide();
    expect(document.querySelector('.permission')).toBeNull();
    hide = await render(page, panel);
  };
  return { page, switchTabs };
}
const close = (page: TestPage, closed: PermissionRequest): Promise<void> =>
  page.hear((seq) => permissionMessage(seq, { state: 'answered', request: closed, optionId: 'yes' }));

describe('an answer that isn’t sent yet', () => {
  it('keeps its choices and its text while another tab is shown', async () => {
    const { page, switchTabs } = await openCard(question('r1'));
    await click(field('Red'));
    await type(colour(), 'Teal');
    await switchTabs();
    expect(field('Red').checked).toBe(true);
    expect(colour().value).toBe('Teal');
    await click(button('Allow'));
    expect(page.callsOf('session.answer')).toMatchObject([['s', { answers: { q1: ['Red', 'Teal'] } }]]);
  });

  it('keeps the values of a form while another tab is shown', async () => {
    const { switchTabs } = await openCard(form);
    await type(field('name'), 'Ada');
    await switchTabs();
    expect(field('name').value).toBe('Ada');
  });

  it('keeps the reason for refusing while another tab is shown, and doesn’t take the focus then', async () => {
    const { page, switchTabs } = await openCard(request());
    await click(button('Refuse'));
    await type(reason(), 'Use rg');
    await switchTabs();
    expect(reason().value).toBe('Use rg');
    expect(document.activeElement).toBe(document.body);
    await click(button('Cancel'));
    expect(buttonNames()).toContain('Allow');
    await click(button('Refuse'));
    expect(document.activeElement).toBe(reason());
    await click(button('Refuse'));
    expect(page.callsOf('session.answer')).toMatchObject([['s', { optionId: 'no', feedback: 'Use rg' }]]);
  });

  it('stays if the server refuses it', async () => {
    const { page, switchTabs } = await openCard(question('r1'));
    page.answer('session.answer', failed('The machine is gone.'));
    await type(colour(), 'Teal');
    await click(button('Allow'));
    await switchTabs();
    expect(colour().value).toBe('Teal');
  });

  it('belongs to its request, and is dropped once that is answered', async () => {
    const { page, switchTabs } = await openCard(question('r1'), question('r2'));
    await type(colour(), 'Teal');
    await close(page, question('r1'));
    expect(colour().value).toBe('');
    await type(colour(), 'Green');
    await close(page, question('r2'));
    await switchTabs();
    await page.hear((seq) => permissionMessage(seq, { state: 'open', request: question('r1') }));
    expect(colour().value).toBe('');
  });
});
