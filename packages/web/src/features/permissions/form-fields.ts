/** One input of a form, from the agent's JSON Schema. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** The agent's pattern; shown and never run. */
  readonly pattern: string;
  readonly required: boolean;
  readonly input: FormInput;
  readonly initial: FormValue;
};

export type FormInput =
  | {
      readonly kind: 'text';
      readonly type: 'text' | 'email' | 'url' | 'date' | 'datetime-local';
      readonly limits: Limits;
    }
  | { readonly kind: 'number' | 'integer'; readonly limits: Limits }
  | { readonly kind: 'checkbox' }
  | { readonly kind: 'json' }
  | { readonly kind: 'choice' | 'choices'; readonly values: readonly string[]; readonly names: readonly string[] };

/** The limits of a number's value, or of a text's length. */
export type Limits = { readonly least?: number; readonly most?: number };
export type FormValue = string | boolean | readonly string[];
export type FormValues = Readonly<Record<string, FormValue>>;

type Loose = Record<string, unknown>;
const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The values to choose from, if the schema lists them in one of the usual ways. */
function choicesOf(schema: Loose): { values: string[]; names: string[] } | null {
  if (Array.isArray(schema['enum'])) {
    const values = texts(schema['enum']);
    const names = texts(schema['enumNames']);
    return { values, names: names.length === values.length ? names : values };
  }
  const listed = schema['oneOf'] ?? schema['anyOf'];
  const variants = Array.isArray(listed) ? listed.filter(isObject) : [];
  if (variants.length === 0 || !variants.every((variant) => typeof variant['const'] === 'string')) return null;
  const values = variants.map((variant) => text(variant['const']));
  return { values, names: variants.map((variant, index) => text(variant['title']) || (values[index] ?? '')) };
}

const textTypes = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const;

function limitsOf(schema: Loose, least: string, most: string): Limits {
  return {
    ...(typeof schema[least] === 'number' && { least: schema[least] }),
    ...(typeof schema[most] === 'number' && { most: schema[most] }),
  };
}

function inputOf(schema: Loose): FormInput {
  const choices = choicesOf(schema);
  if (choices !== null) return { kind: 'choice', ...choices };
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'checkbox' };
    case 'number':
    case 'integer':
      return { kind: schema['type'], limits: limitsOf(schema, 'minimum', 'maximum') };
    case 'array': {
      const listed = isObject(schema['items']) ? choicesOf(schema['items']) : null;
      return listed === null ? { kind: 'json' } : { kind: 'choices', ...listed };
    }
    case 'object':
      return { kind: 'json' };
    default: {
      const type = textTypes[text(schema['format']) as keyof typeof textTypes] ?? 'text';
      return { kind: 'text', type, limits: limitsOf(schema, 'minLength', 'maxLength') };
    }
  }
}

function initialOf(input: FormInput, given: unknown): FormValue {
  if (input.kind === 'checkbox') return given === true;
  if (input.kind === 'choices') return texts(given).filter((value) => input.values.includes(value));
  if (input.kind === 'json') return given === undefined ? '' : JSON.stringify(given);
  return typeof given === 'string' || typeof given === 'number' ? String(given) : '';
}

/** The inputs of a form's schema; nested values are written as JSON. */
export function fieldsOf(schema: Loose | undefined): FormField[] {
  const properties = isObject(schema?.['properties']) ? schema['properties'] : {};
  const required = new Set(texts(schema?.['required']));
  return Object.entries(properties).map(([name, value]) => {
    const property = isObject(value) ? value : {};
    const input = inputOf(property);
    return {
      name,
      label: text(property['title']) || name,
      description: text(property['description']),
      pattern: text(property['pattern']),
      required: required.has(name),
      input,
      initial: initialOf(input, property['default']),
    };
  });
}
