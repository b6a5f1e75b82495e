import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PermissionRequest, Question } from '@liminal/contracts';
import { permission } from '@liminal/domain/timeline/testing/messages';
import { click, focus, press, select, type } from '../../testing/events.ts';
import { button, field, one, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { PermissionPanel } from './permission-panel.tsx';

const options: PermissionRequest['options'] = [
  { optionId: 'send', name: 'Submit', kind: 'allow_once' },
  { optionId: 'skip', name: 'Skip', kind: 'reject_once' },
];

/** A card that already accepts keys. */
async function openCard(part: Partial<PermissionRequest>): Promise<TestPage> {
  const page = createTestPage({ permissions: [{ ...permission('r1'), options, ...part }] });
  await render(page, <PermissionPanel />);
  await act(async () => vi.advanceTimersByTime(1000));
  return page;
}
const answers = (page: TestPage): unknown[] => page.callsOf('session.answer').map(([, body]) => body);
const card = (): HTMLElement => one('section.permission');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

describe('a question', () => {
  const colour: Question = {
    id: 'q1',
    question: 'Which colour?',
    multiSelect: false,
    options: [{ label: 'Red' }, { label: 'Blue' }],
    freeText: true,
  };
  const sizes: Question = { ...colour, id: 'q2', question: 'Which sizes?', multiSelect: true, freeText: false };
  const own = (): HTMLInputElement => one<HTMLInputElement>('.question input.input');

  it('is answered with a number and Enter', async () => {
    const page = await openCard({ kind: 'question', questions: [colour] });
    await focus(card());
    await press('Enter');
    expect(answers(page)).toEqual([]);
    await press('2');
    await press('Enter');
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'send', answers: { q1: ['Blue'] } }]);
  });

  it('can’t be submitted without an answer, but can be skipped', async () => {
    const page = await openCard({ kind: 'question', questions: [colour] });
    expect(button('Submit').disabled).toBe(true);
    await click(button('Skip'));
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'skip' }]);
  });

  it('accepts free text instead of a choice', async () => {
    const page = await openCard({ kind: 'question', questions: [colour] });
    await click(field('Red'));
    await type(own(), 'Green');
    expect(field<HTMLInputElement>('Red').checked).toBe(false);
    await press('Enter');
    expect(answers(page)).toMatchObject([{ optionId: 'send', answers: { q1: ['Green'] } }]);
  });

  it('ignores numbers typed into the free text', async () => {
    await openCard({ kind: 'question', questions: [colour] });
    await focus(own());
    await press('1');
    expect(field<HTMLInputElement>('Red').checked).toBe(false);
  });

  it('accepts several answers if allowed, deselects one again, and waits until every question has one', async () => {
    const page = await openCard({ kind: 'question', questions: [{ ...colour, options: [{ label: 'Green' }] }, sizes] });
    await click(field('Red'));
    await click(field('Blue'));
    expect(button('Submit').disabled).toBe(true);
    await click(field('Green'));
    await click(field('Red'));
    await click(button('Submit'));
    expect(answers(page)).toMatchObject([{ answers: { q1: ['Green'], q2: ['Blue'] } }]);
  });
});

describe('several questions', () => {
  const question = (id: string): Question => ({
    id,
    question: `Which ${id}?`,
    multiSelect: false,
    options: [{ label: `No ${id}` }, { label: `Any ${id}` }],
    freeText: false,
  });

  it('aren’t skipped by a number, only by Escape, as their buttons say', async () => {
    const page = await openCard({ kind: 'question', questions: [question('colour'), question('size')] });
    expect(texts('.permission-options .key-hint')).toEqual(['Enter', 'Esc']);
    await focus(field('No colour'));
    for (const key of ['1', '2']) await press(key);
    expect(answers(page)).toEqual([]);
    await press('Escape');
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'skip' }]);
  });
});

describe('a form', () => {
  const schema = {
    type: 'object',
    required: ['name', 'tags'],
    properties: {
      name: { type: 'string', title: 'Your name', minLength: 2 },
      age: { type: 'integer', minimum: 18 },
      plan: { enum: ['a', 'b'], enumNames: ['Small', 'Large'] },
      tags: { type: 'array', items: { enum: ['x', 'y'] } },
      agree: { type: 'boolean' },
    },
  };
  /** A field by the start of its label: required ones have a suffix. */
  const labelled = <T extends HTMLElement = HTMLInputElement>(label: string): T => {
    const found = [...document.querySelectorAll('label')].find((each) => each.textContent.startsWith(label));
    const control = found?.control ?? found?.querySelector('input');
    if (!(control instanceof HTMLElement)) throw new Error(`No field “${label}”`);
    return control as T;
  };

  it('is sent with each value in its own type, once nothing is missing', async () => {
    const page = await openCard({ kind: 'form', schema });
    expect(button('Submit').disabled).toBe(true);
    await type(labelled('Your name'), 'Ada');
    await type(labelled('age'), '36');
    await select(labelled<HTMLSelectElement>('plan'), 'b');
    expect(button('Submit').disabled).toBe(true);
    await click(labelled('x'));
    await click(labelled('agree'));
    await click(button('Submit'));
    expect(answers(page)).toEqual([
      {
        requestId: 'r1',
        optionId: 'send',
        answers: { name: 'Ada', age: 36, plan: 'b', tags: ['x'], agree: true },
      },
    ]);
  });

  it('shows an error below a field', async () => {
    await openCard({ kind: 'form', schema });
    await type(labelled('Your name'), 'A');
    await type(labelled('age'), '17');
    expect(texts('.field-error').filter((words) => / at least \d/.test(words))).toEqual([
      'Enter at least 2 characters.',
      'Must be at least 18.',
    ]);
    expect(labelled('age').getAttribute('aria-invalid')).toBe('true');
    await type(labelled('age'), '18');
    expect(labelled('age').getAttribute('aria-invalid')).toBe('false');
  });

  it('isn’t sent by a number or by Enter, and is refused by Escape', async () => {
    const page = await openCard({ kind: 'form', schema: { properties: { name: { type: 'string', default: 'Ada' } } } });
    await focus(card());
    await press('1');
    await focus(labelled('name'));
    await press('Enter');
    expect(answers(page)).toEqual([]);
    await press('Escape');
    expect(answers(page)).toEqual([{ requestId: 'r1', optionId: 'skip' }]);
  });
});
