import type { PermissionAnswer, PermissionOption, PermissionRequest } from '@liminal/contracts';
import {
  asList,
  asRecord,
  asRecords,
  asText,
  asNonEmptyString,
  isRecord,
  type Loose,
  present,
} from '../../kit/read-json.ts';
import type { Question, QuestionPlace } from './permission-question.ts';

type Option = { readonly value: string | boolean; readonly label: string; readonly description?: string };
type Field = {
  readonly id: string;
  readonly multiSelect: boolean;
  readonly options: readonly Option[];
  readonly shown: { readonly header?: string; readonly question: string };
  /** The field for a free-text answer, beside the option that selects it. */
  readonly note?: { readonly id: string; readonly otherValue: string | undefined };
};

const accept: PermissionOption = { optionId: 'accept', name: 'Send', kind: 'allow_once' };
const decline: PermissionOption = { optionId: 'decline', name: 'Decline', kind: 'reject_once' };

/**
 * Reads an `elicitation/create` in form mode. A form of choices and plain texts becomes questions; any other form is
 * shown as it is. Null for modes we never offered.
 */
export function formQuestion(params: unknown, place: QuestionPlace): Question | null {
  const raw = asRecord(params);
  if (raw['mode'] !== 'form' || !isRecord(raw['requestedSchema'])) return null;
  const schema = raw['requestedSchema'];
  const fields = readFields(schema);
  const base = {
    ...place,
    title: asNonEmptyString(raw['message']) ?? 'The agent has a question',
    options: [accept, decline],
    ...present({ callId: asNonEmptyString(raw['toolCallId']) }),
  };
  const request: PermissionRequest = fields
    ? { ...base, kind: 'question', questions: fields.map(shownQuestion) }
    : { ...base, kind: 'form', schema };
  return {
    request,
    call: null,
    withdrawn: { action: 'cancel' },
    reply: (answer) =>
      answer.optionId === accept.optionId
        ? { action: 'accept', content: contentOf(fields, answer) }
        : { action: 'decline' },
  };
}

/** Null when a field is neither a choice nor a text. */
function readFields(schema: Loose): Field[] | null {
  const properties = Object.entries(asRecord(schema['properties'])).map(([id, value]) => ({
    id,
    property: asRecord(value),
  }));
  const codex = (property: Loose): Loose => asRecord(asRecord(property['_meta'])['codex']);
  const notes = new Map(
    properties
      .filter(({ property }) => codex(property)['role'] === 'user_note')
      .map(({ id, property }) => [asText(codex(property)['questionId']) ?? '', id]),
  );
  const fields: Field[] = [];
  for (const { id, property } of properties) {
    if ([...notes.values()].includes(id)) continue;
    const options = optionsOf(property);
    if (options === null) return null;
    const noteId = notes.get(id);
    const last = options.at(-1)?.value;
    fields.push({
      id,
      multiSelect: property['type'] === 'array',
      options,
      shown: {
        question: asNonEmptyString(property['title']) ?? asNonEmptyString(property['description']) ?? id,
        ...present({
          header:
            asNonEmptyString(property['title']) === undefined ? undefined : asNonEmptyString(property['description']),
        }),
      },
      ...(noteId !== undefined && {
        note: {
          id: noteId,
          otherValue: codex(property)['isOther'] === true && typeof last === 'string' ? last : undefined,
        },
      }),
    });
  }
  return fields.length > 0 ? fields : null;
}

function optionsOf(property: Loose): Option[] | null {
  const choice = property['type'] === 'array' ? asRecord(property['items']) : property;
  const titled = asRecords(choice['oneOf'] ?? choice['anyOf']);
  const plain = asList(choice['enum']).filter((value) => typeof value === 'string');
  switch (property['type']) {
    case 'boolean':
      return [
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ];
    case 'string':
    case 'array':
      if (property['type'] === 'array' && titled.length === 0 && plain.length === 0) return null;
      return [
        ...plain.map((value) => ({ value, label: value })),
        ...titled.flatMap((option) => {
          const value = asText(option['const']);
          return value === undefined
            ? []
            : [
                {
                  value,
                  label: asNonEmptyString(option['title']) ?? value,
                  ...present({ description: asNonEmptyString(option['description']) }),
                },
              ];
        }),
      ];
    default:
      return null;
  }
}

function shownQuestion(field: Field): NonNullable<PermissionRequest['questions']>[number] {
  return {
    id: field.id,
    ...field.shown,
    multiSelect: field.multiSelect,
    options: field.options.map(({ label, description }) => ({ label, ...present({ description }) })),
    freeText: field.options.length === 0 || field.note !== undefined,
  };
}

/** The fields as the agent's schema requires them: values instead of labels, one or a list. */
function contentOf(fields: readonly Field[] | null, { answers = {} }: PermissionAnswer): Loose {
  if (!fields) return answers;
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const given = answers[field.id];
    const labels = (Array.isArray(given) ? given : [given]).filter((label) => typeof label === 'string');
    const chosen = labels.map((label) =>
      field.options.find((option) => option.label === label || option.value === label),
    );
    const own = labels.find((_, index) => chosen[index] === undefined);
    const values = labels.map((label, index) => chosen[index]?.value ?? field.note?.otherValue ?? label);
    if (field.multiSelect) content[field.id] = values;
    else if (values[0] !== undefined) content[field.id] = values[0];
    if (own !== undefined && field.note) content[field.note.id] = own;
  }
  return content;
}
