import type { ExportedTurn, PlanEntry, ToolCallUpsert, UpsertObject } from '@liminal/contracts';
import { showControls, showHidden } from '../text/visible-text.ts';

/** A session in readable parts: messages, and what was done. */
export type ExportPart =
  | { readonly kind: 'person' | 'agent' | 'system' | 'thinking'; readonly text: string; readonly at: string }
  | { readonly kind: 'tool'; readonly title: string; readonly input: string; readonly output: string }
  | { readonly kind: 'plan'; readonly entries: readonly PlanEntry[] }
  | { readonly kind: 'failure'; readonly text: string };

const origins = { user: 'person', agent: 'agent', system: 'system' } as const;

/** The parts of a turn in order. They contain no invisible or direction-changing characters. */
export function partsOf({ turn, items }: ExportedTurn): ExportPart[] {
  const parts = items.flatMap(partOf);
  const { ended } = turn;
  return ended?.type === 'turn_error'
    ? [...parts, { kind: 'failure', text: showControls(`${ended.errorMessage} (${ended.errorCode})`) }]
    : parts;
}

function partOf(item: UpsertObject): ExportPart[] {
  switch (item.type) {
    case 'message':
      return [{ kind: origins[item.origin], text: showControls(item.content), at: item.sourceTimestamp }];
    case 'thinking':
      return item.content === ''
        ? []
        : [{ kind: 'thinking', text: showControls(item.content), at: item.sourceTimestamp }];
    case 'tool_call':
      return [
        {
          kind: 'tool',
          title: showHidden(oneLine(item.title ?? item.toolName)),
          input: inputOf(item),
          output: showHidden(item.toolOutput ?? ''),
        },
      ];
    case 'plan':
      return [{ kind: 'plan', entries: item.entries.map((entry) => ({ ...entry, content: oneLine(entry.content) })) }];
  }
}

const oneLine = (text: string): string => showControls(text.replace(/\s+/g, ' ').trim());

function inputOf({ toolArguments }: ToolCallUpsert): string {
  const { command } = toolArguments;
  if (typeof command === 'string') return showHidden(command);
  return Object.keys(toolArguments).length === 0 ? '' : showHidden(JSON.stringify(toolArguments, null, 2));
}
