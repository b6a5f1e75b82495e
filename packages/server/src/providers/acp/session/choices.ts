import type { Choice, SessionInfo } from '@liminal/contracts';
import { asRecord, asRecords, asNonEmptyString, isRecord, type Loose, present } from '../../kit/read-json.ts';

export type ChoiceKind = 'model' | 'mode' | 'effort';

/** How to send the agent a choice. */
export type ChoiceRequest = { readonly method: string; readonly params: Readonly<Record<string, unknown>> };

/** What can be chosen in a session, and what is chosen. */
export type Choices = {
  readonly info: SessionInfo;
  /** The request that sets a value; undefined if the agent has no such choice. */
  request(kind: ChoiceKind, sessionId: string, value: string): ChoiceRequest | undefined;
};

type Selector = {
  readonly current: string | undefined;
  readonly options: readonly Choice[];
  readonly configId?: string;
};

const categories: Record<ChoiceKind, string> = { model: 'model', mode: 'mode', effort: 'thought_level' };

/** Reads the answer to `session/new` or `session/load`: config options, or the older `modes` and `models`. */
export function readChoices(answer: unknown): Choices {
  const raw = asRecord(answer);
  const model =
    configSelector(raw, 'model') ?? legacySelector(raw['models'], 'availableModels', 'modelId', 'currentModelId');
  const mode = configSelector(raw, 'mode') ?? legacySelector(raw['modes'], 'availableModes', 'id', 'currentModeId');
  const effort = configSelector(raw, 'effort');
  const selectors = { model, mode, effort };
  return {
    info: present({
      models: model && [...model.options],
      modelId: model?.current,
      modes: mode && [...mode.options],
      modeId: mode?.current,
      efforts: effort && [...effort.options],
      effort: effort?.current,
    }),
    request(kind, sessionId, value) {
      const selector = selectors[kind];
      if (!selector) return undefined;
      if (selector.configId !== undefined) {
        return { method: 'session/set_config_option', params: { sessionId, configId: selector.configId, value } };
      }
      if (kind === 'mode') return { method: 'session/set_mode', params: { sessionId, modeId: value } };
      return { method: 'session/set_model', params: { sessionId, modelId: value } };
    },
  };
}

function configSelector(raw: Loose, kind: ChoiceKind): Selector | undefined {
  const category = categories[kind];
  const options = asRecords(raw['configOptions']).filter((option) => option['type'] === 'select');
  const option =
    options.find((candidate) => candidate['category'] === category) ??
    options.find((candidate) => !asNonEmptyString(candidate['category']) && candidate['id'] === category);
  const configId = asNonEmptyString(option?.['id']);
  if (!option || configId === undefined) return undefined;
  // Options are flat or in named groups.
  const flat = asRecords(option['options']).flatMap((entry) =>
    Array.isArray(entry['options']) ? asRecords(entry['options']) : [entry],
  );
  return {
    configId,
    current: asNonEmptyString(option['currentValue']),
    options: flat.flatMap((entry) => readChoice(entry, 'value')),
  };
}

function legacySelector(raw: unknown, list: string, id: string, current: string): Selector | undefined {
  if (!isRecord(raw)) return undefined;
  return {
    current: asNonEmptyString(raw[current]),
    options: asRecords(raw[list]).flatMap((entry) => readChoice(entry, id)),
  };
}

function readChoice(raw: Loose, idField: string): Choice[] {
  const id = asNonEmptyString(raw[idField]);
  if (id === undefined) return [];
  return [
    {
      id,
      name: asNonEmptyString(raw['name']) ?? id,
      ...present({ description: asNonEmptyString(raw['description']) }),
    },
  ];
}
