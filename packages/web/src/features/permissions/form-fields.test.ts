import { describe, expect, it } from 'vitest';
import { fieldsOf, formAnswers } from './form-fields.ts';

const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', title: 'Your name' },
    age: { type: 'integer' },
    agree: { type: 'boolean', default: true },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
    level: { oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] },
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
    ]);
    expect(fields[4]?.input).toMatchObject({ values: ['a', 'b'], names: ['First', 'b'] });
  });

  it('bear a schema that is none', () => {
    expect(fieldsOf(undefined)).toEqual([]);
    expect(fieldsOf({ properties: 'x' })).toEqual([]);
    expect(fieldsOf({ properties: { a: null } })).toHaveLength(1);
  });

  it('answer in the types the schema names', () => {
    const fields = fieldsOf(schema);
    expect(formAnswers(fields, {})).toBeNull();
    expect(formAnswers(fields, { name: 'Ada', age: '4.5' })).toBeNull();
    expect(formAnswers(fields, { name: 'Ada', age: '36', size: 'm' })).toEqual({
      name: 'Ada',
      age: 36,
      agree: true,
      size: 'm',
    });
  });
});
