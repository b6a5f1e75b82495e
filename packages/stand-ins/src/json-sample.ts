import { asArray, asRecord } from './wire/read-body.ts';

// A reviewer asked whether a command may run must approve, or the scripted turn would end there.
const preferred = ['allow', 'approve', 'approved', 'low'];

/** A small value that fits a JSON schema, as the answer to a structured side request (a title, a review). */
export function sampleOf(schema: unknown): unknown {
  const fields = asRecord(schema);
  if (fields['const'] !== undefined) return fields['const'];
  const choices = asArray(fields['enum']);
  if (choices.length > 0) return preferred.find((choice) => choices.includes(choice)) ?? choices[0];
  const variants = [...asArray(fields['anyOf']), ...asArray(fields['oneOf'])];
  if (variants.length > 0) return sampleOf(variants[0]);
  const properties = asRecord(fields['properties']);
  switch (typeOf(fields)) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, sampleOf(value)]));
    case 'array':
      return Array.from({ length: Number(fields['minItems']) || 0 }, () => sampleOf(fields['items']));
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return typeof fields['minimum'] === 'number' ? fields['minimum'] : 1;
    case 'null':
      return null;
    default:
      return 'Scripted answer';
  }
}

// Gemini writes its types in capitals; a nullable type is a list.
function typeOf(fields: Record<string, unknown>): string {
  const [type] = Array.isArray(fields['type']) ? fields['type'] : [fields['type']];
  if (typeof type === 'string') return type.toLowerCase();
  return fields['properties'] === undefined ? 'string' : 'object';
}
