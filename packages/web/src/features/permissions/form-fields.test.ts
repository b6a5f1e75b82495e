import { describe, expect, it } from 'vitest';
import { formAnswers, wrongWith } from './form-answers.ts';
import { fieldsOf } from './form-fields.ts';

const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2 },
    age: { type: 'integer', minimum: 1, maximum: 150 },
    agree: { type: 'boolean', default: true },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
    level: { oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] },
    tags: { type: 'array', items: { enum: ['x', 'y'] }, default: ['y', 'gone'] },
    mail: { type: 'string', format: 'email' },
    extra: { type: 'object' },
  },
};

describe('form fields', () => {
  it('read a flat schema', () => {
    const fields = fieldsOf(schema);
    expect(fields.map((field) => [field.label, field.input.kind, field.required])).toEqual([
      ['Your name', 'text', true],
      ['age', 'integer', false],
      ['agree', 'checkbox', false],
      ['size', 'choice', false],
      ['level', 'choice', false],
      ['tags', 'choices', false],
      ['mail', 'text', false],
      ['extra', 'json', false],
    ]);
    expect(fields[4]?.input).toMatchObject({ values: ['a', 'b'], names: ['First', 'b'] });
    expect(fields[5]?.initial).toEqual(['y']);
    expect(fields[6]?.input).toMatchObject({ type: 'email' });
  });

  it('survive an invalid schema', () => {
    expect(fieldsOf(undefined)).toEqual([]);
    expect(fieldsOf({ properties: 'x' })).toEqual([]);
    expect(fieldsOf({ properties: { a: null } })).toHaveLength(1);
  });

  it('return values in the types of the schema', () => {
    const fields = fieldsOf(schema);
    expect(formAnswers(fields, {})).toBeNull();
    expect(formAnswers(fields, { name: 'Ada', age: '36', size: 'm', extra: '{"a":1}' })).toEqual({
      name: 'Ada',
      age: 36,
      agree: true,
      size: 'm',
      tags: ['y'],
      extra: { a: 1 },
    });
  });

  it.each([
    [{ name: 'A' }, 'Enter at least 2 characters.'],
    [{ name: 'Ada', age: '4.5' }, 'Enter a whole number.'],
    [{ name: 'Ada', age: 'old' }, 'Enter a number.'],
    [{ name: 'Ada', age: '151' }, 'Must be at most 150.'],
    [{ name: 'Ada', extra: '{' }, 'Enter JSON, such as ["a", "b"] or {"key": "value"}.'],
  ])('report what is wrong with %j', (values, words) => {
    const fields = fieldsOf(schema);
    expect(formAnswers(fields, values)).toBeNull();
    expect(fields.map((field) => wrongWith(field, values)).filter(Boolean)).toEqual([words]);
  });

  it('never run a pattern, which could block the page, and leave the check to the agent', () => {
    const fields = fieldsOf({ properties: { code: { type: 'string', pattern: '^x$' } } });
    expect(fields[0]?.pattern).toBe('^x$');
    expect(wrongWith(fields[0]!, { code: 'y' })).toBe('');
    expect(formAnswers(fields, { code: 'y' })).toEqual({ code: 'y' });
  });
});
