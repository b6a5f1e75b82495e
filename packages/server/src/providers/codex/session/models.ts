import type { Choice } from '@liminal/contracts';
import { asNonEmptyString, asRecords, type Loose, present } from '../../kit/read-json.ts';

/** A model of Codex's list, with its efforts. */
export type CodexModel = Choice & { readonly efforts: readonly Choice[]; readonly defaultEffort?: string };

/** Reads an answer to `model/list`. */
export function readModels(answer: Loose): readonly CodexModel[] {
  return asRecords(answer['data']).flatMap((raw) => {
    const id = asNonEmptyString(raw['model']) ?? asNonEmptyString(raw['id']);
    if (id === undefined || raw['hidden'] === true) return [];
    return [
      {
        id,
        name: asNonEmptyString(raw['displayName']) ?? id,
        efforts: asRecords(raw['supportedReasoningEfforts']).flatMap(readEffort),
        ...present({
          description: asNonEmptyString(raw['description']),
          defaultEffort: asNonEmptyString(raw['defaultReasoningEffort']),
        }),
      },
    ];
  });
}

function readEffort(raw: Loose): Choice[] {
  const id = asNonEmptyString(raw['reasoningEffort']);
  if (id === undefined) return [];
  const name = id === 'xhigh' ? 'Extra high' : id.charAt(0).toUpperCase() + id.slice(1);
  return [{ id, name, ...present({ description: asNonEmptyString(raw['description']) }) }];
}

export const modelChoice = ({ id, name, description }: CodexModel): Choice => ({
  id,
  name,
  ...present({ description }),
});
