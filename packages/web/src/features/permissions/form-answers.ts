import type { FormField, FormValue, FormValues, Limits } from './form-fields.ts';

/** A field's value for the agent, or its error; neither if it was left empty. */
type Reading = { readonly value?: unknown; readonly wrong?: string };

const asNumber = (value: string, isWhole: boolean, { least, most }: Limits): Reading => {
  const number = Number(value);
  if (Number.isNaN(number)) return { wrong: 'Enter a number.' };
  if (isWhole && !Number.isInteger(number)) return { wrong: 'Enter a whole number.' };
  if (least !== undefined && number < least) return { wrong: `Must be at least ${least}.` };
  if (most !== undefined && number > most) return { wrong: `Must be at most ${most}.` };
  return { value: number };
};

// The agent's pattern is never run: a hostile regular expression could block the page for hours. The agent checks it.
const asText = (value: string, { least, most }: Limits): Reading => {
  if (least !== undefined && value.length < least) return { wrong: `Enter at least ${least} characters.` };
  if (most !== undefined && value.length > most) return { wrong: `Enter at most ${most} characters.` };
  return { value };
};

function asJson(value: string): Reading {
  try {
    return { value: JSON.parse(value) as unknown };
  } catch {
    return { wrong: 'Enter JSON, such as ["a", "b"] or {"key": "value"}.' };
  }
}

function read(field: FormField, value: FormValue): Reading {
  if (typeof value === 'boolean') return { value };
  if (typeof value !== 'string') {
    return field.required && value.length === 0 ? { wrong: 'Choose at least one.' } : { value };
  }
  if (value.trim() === '') return field.required ? { wrong: '' } : {};
  switch (field.input.kind) {
    case 'number':
    case 'integer':
      return asNumber(value, field.input.kind === 'integer', field.input.limits);
    case 'json':
      return asJson(value);
    case 'text':
      return asText(value, field.input.limits);
    case 'checkbox':
    case 'choice':
    case 'choices':
      return { value };
  }
}

const valueOf = (field: FormField, values: FormValues): FormValue => values[field.name] ?? field.initial;

/** The error of a field; empty if there is none, or if it just isn't filled in yet. */
export const wrongWith = (field: FormField, values: FormValues): string =>
  read(field, valueOf(field, values)).wrong ?? '';

/** The values to send, each in its own type; `null` while something is missing or wrong. */
export function formAnswers(fields: readonly FormField[], values: FormValues): Record<string, unknown> | null {
  const answers: Record<string, unknown> = {};
  for (const field of fields) {
    const reading = read(field, valueOf(field, values));
    if (reading.wrong !== undefined) return null;
    if (reading.value !== undefined) answers[field.name] = reading.value;
  }
  return answers;
}
