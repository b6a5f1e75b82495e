import { useId, type ReactNode } from 'react';
import { wrongWith } from './form-answers.ts';
import type { FormField, FormValue, FormValues } from './form-fields.ts';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';

type FormProps = {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
};

/** The fields of an agent's form, each with its error below it. */
export function Form({ fields, values, onChange }: FormProps): ReactNode {
  return fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      value={values[field.name] ?? field.initial}
      wrong={wrongWith(field, values)}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
    />
  ));
}

type FieldProps = {
  readonly field: FormField;
  readonly value: FormValue;
  readonly wrong: string;
  readonly onChange: (value: FormValue) => void;
};

function Field(props: FieldProps): ReactNode {
  const { field, value, onChange } = props;
  if (field.input.kind === 'checkbox') {
    return (
      <label className="question-option">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />
        <FieldName field={field} />
      </label>
    );
  }
  return field.input.kind === 'choices' ? <Choices {...props} /> : <Written {...props} />;
}

/** Several choices from a list. */
function Choices({ field, value, wrong, onChange }: FieldProps): ReactNode {
  const { input } = field;
  if (input.kind !== 'choices') return null;
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <fieldset className="question">
      <legend>
        <FieldName field={field} />
      </legend>
      {input.values.map((each, index) => (
        <label key={each} className="question-option">
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, each] : chosen.filter((other) => other !== each))
            }
          />
          <span>{showHidden(input.names[index] ?? each)}</span>
        </label>
      ))}
      {wrong !== '' && <p className="field-error">{wrong}</p>}
    </fieldset>
  );
}

function Written({ field, value, wrong, onChange }: FieldProps): ReactNode {
  const id = useId();
  const { input } = field;
  const shared = {
    id,
    className: 'input',
    value: String(value),
    'aria-invalid': wrong !== '',
    'aria-describedby': `${id}-wrong`,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        <FieldName field={field} />
      </label>
      {input.kind === 'choice' ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose</option>
          {input.values.map((each, index) => (
            <option key={each} value={each}>
              {showHidden(input.names[index] ?? each)}
            </option>
          ))}
        </select>
      ) : input.kind === 'json' ? (
        <textarea {...shared} rows={3} spellCheck={false} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          {...shared}
          type={input.kind === 'text' ? input.type : 'text'}
          inputMode={input.kind === 'text' ? undefined : 'decimal'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p id={`${id}-wrong`} className="field-error">
        {wrong}
      </p>
    </div>
  );
}

function FieldName({ field }: { readonly field: FormField }): ReactNode {
  return (
    <span>
      <span className="field-label">{showHidden(field.label)}</span>
      {field.required && <span className="muted"> required</span>}
      {field.description !== '' && <span className="muted"> {showControls(field.description)}</span>}
      {field.pattern !== '' && (
        <span className="field-pattern muted">
          {' '}
          Must match the pattern <code>{showHidden(field.pattern)}</code>
        </span>
      )}
    </span>
  );
}
