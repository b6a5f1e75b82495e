import type { SlashCommand } from '@liminal/contracts';

/** What can be completed: a command at the start of the text, or a file anywhere. */
export type Trigger = {
  readonly kind: 'command' | 'file';
  readonly query: string;
  /** The part of the text that a choice replaces. */
  readonly start: number;
  readonly end: number;
};

export function findTrigger(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command) return { kind: 'command', query: command[1] ?? '', start: 0, end: caret };
  const file = /(?:^|[\s([{"'])@([^\s@]{0,200})$/.exec(before);
  if (!file) return null;
  const query = file[1] ?? '';
  return { kind: 'file', query, start: caret - query.length - 1, end: caret };
}

/** Matching commands: those that start with the text first, then those that contain it. */
export function fittingCommands(commands: readonly SlashCommand[], query: string): SlashCommand[] {
  const wanted = query.toLowerCase();
  const place = (command: SlashCommand): number => command.name.toLowerCase().indexOf(wanted);
  return commands
    .filter((command) => place(command) >= 0)
    .toSorted((a, b) => Number(place(a) > 0) - Number(place(b) > 0))
    .slice(0, 50);
}

/** How a message mentions a file; a path with spaces needs quotes. */
export const mentionOf = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`);

/** The text with the choice inserted, and the new caret position. */
export function complete(text: string, trigger: Trigger, choice: string): { text: string; caret: number } {
  const after = text.slice(trigger.end);
  const gap = /^\s/.test(after) ? '' : ' ';
  const begun = text.slice(0, trigger.start) + choice + gap;
  return { text: begun + after, caret: begun.length + (gap === '' ? 1 : 0) };
}
