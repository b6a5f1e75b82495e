import type { UpsertObject } from '@liminal/contracts';

/** The text of an item that appends extend: a tool call's output, otherwise its content. A plan has none. */
export function textOf(item: UpsertObject): string {
  switch (item.type) {
    case 'message':
    case 'thinking':
      return item.content;
    case 'tool_call':
      return item.toolOutput ?? '';
    case 'plan':
      return '';
  }
}

/** The same item with another text. */
export function withText(item: UpsertObject, text: string): UpsertObject {
  switch (item.type) {
    case 'message':
    case 'thinking':
      return { ...item, content: text };
    case 'tool_call':
      return { ...item, toolOutput: text };
    case 'plan':
      return item;
  }
}

export const isEnded = (item: UpsertObject): boolean => item.status === 'complete' || item.status === 'error';
