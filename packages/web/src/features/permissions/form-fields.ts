/** One input of a form, read from the JSON Schema an agent sent. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly required: boolean;
  readonly input:
    | { readonly kind: 'text' | 'number' | 'integer' | 'checkbox' }
    | { readonly kind: 'choice'; readonly values: readonly string[]; readonly names: readonly string[] };
  readonly initial: string | boolean;
};

type Loose = Record<string, unknown>;
const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function inputOf(schema: Loose): FormField['input'] {
  if (Array.isArray(schema['enum'])) {
    const values = texts(schema['enum']);
    const names = texts(schema['enumNames']);
    return { kind: 'choice', values, names: names.length === values.length ? names : values };
  }
  const variants = Array.isArray(schema['oneOf']) ? schema['oneOf'].filter(isObject) : [];
  if (variants.length > 0 && variants.every((variant) => typeof variant['const'] === 'string')) {
    const values = variants.map((variant) => text(variant['const']));
    return {
      kind: 'choice',
      values,
      names: variants.map((variant, index) => text(variant['title']) || (values[index] ?? '')),
    };
  }
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'checkbox' };
    case 'number':
      return { kind: 'number' };
    case 'integer':
      return { kind: 'integer' };
    default:
      return { kind: 'text' };
  }
}

/** The inputs of a form's flat schema; what is nested deeper is written as text. */
export function fieldsOf(schema: Loose | undefined): FormField[] {
  const properties = isObject(schema?.['properties']) ? schema['properties'] : {};
  const required = new Set(texts(schema?.['required']));
  return Object.entries(properties).map(([name, value]) => {
    const property = isObject(value) ? value : {};
    const input = inputOf(property);
    const given = property['default'];
    return {
      name,
      label: text(property['title']) || name,
      description: text(property['description']),
      required: required.has(name),
      input,
      initial:
        input.kind === 'checkbox'
          ? given === true
          : ['string', 'number'].includes(typeof given)
            ? `${given as string | number}`
            : '',
    };
  });
}

export type FormValues = Readonly<Record<string, string | boolean>>;

/** The values to send, each of its own type; `null` while something required is missing or no number. */
export function formAnswers(fields: readonly FormField[], values: FormValues): Record<string, unknown> | null {
  const answers: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name] ?? field.initial;
    if (typeof value === 'boolean') answers[field.name] = value;
    else if (value.trim() === '') {
      if (field.required) return null;
    } else if (field.input.kind === 'number' || field.input.kind === 'integer') {
      const number = Number(value);
      if (Number.isNaN(number) || (field.input.kind === 'integer' && !Number.isInteger(number))) return null;
      answers[field.name] = number;
    } else answers[field.name] = value;
  }
  return answers;
}
