import type { ReactNode } from 'react';
import type { FormField, FormValues } from './form-fields.ts';

type FormProps = {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
};

/** The fields of a form an agent wants filled in. */
export function Form({ fields, values, onChange }: FormProps): ReactNode {
  return fields.map((field) => (
    <label key={field.name} className={field.input.kind === 'checkbox' ? 'question-option' : 'field'}>
      {field.input.kind !== 'checkbox' && <FieldName field={field} />}
      <FieldInput
        field={field}
        value={values[field.name] ?? field.initial}
        onChange={(value) => onChange({ ...values, [field.name]: value })}
      />
      {field.input.kind === 'checkbox' && <FieldName field={field} />}
    </label>
  ));
}

function FieldName({ field }: { readonly field: FormField }): ReactNode {
  return (
    <span>
      <span className="field-label">{field.label}</span>
      {field.required && <span className="muted"> required</span>}
      {field.description !== '' && <span className="muted"> {field.description}</span>}
    </span>
  );
}

type FieldInputProps = {
  readonly field: FormField;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
};

function FieldInput({ field, value, onChange }: FieldInputProps): ReactNode {
  const { input } = field;
  if (input.kind === 'checkbox') {
    return <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />;
  }
  if (input.kind === 'choice') {
    return (
      <select className="input" value={String(value)} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose</option>
        {input.values.map((each, index) => (
          <option key={each} value={each}>
            {input.names[index]}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      className="input"
      inputMode={input.kind === 'text' ? 'text' : 'decimal'}
      value={String(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
