import type { ToolCallUpsert, TurnRecord, UpsertObject } from '@liminal/contracts';
import type { FollowedSession } from '@liminal/client/follow-session';
import { isEnded } from '@liminal/domain/items/item-text';
import { itemsInOrder, type Timeline } from '@liminal/domain/timeline/timeline';
import { type Colours, visible } from '../base/terminal.ts';

/** How much of a finished output is shown. The page has the rest. */
const shownLines = 3;
const shownWidth = 200;

export type Transcript = {
  /** What is new since the last call, ready to print. */
  next(state: Pick<FollowedSession, 'timeline' | 'changed'>): string;
};

const oneLine = (text: string): string => visible(text).replaceAll(/\s+/g, ' ').trim().slice(0, shownWidth);

/** A session as append-only text: printed lines never change. */
export function createTranscript(colours: Colours, isWholeWanted: boolean): Transcript {
  /** By item: how much of its text was printed, or for other items the last thing printed. */
  const written = new Map<string, number | string>();
  const endedTurns = new Set<string>();
  let begun = false;
  let out = '';
  /** The item that the last line belongs to, while it may continue. */
  let open: string | null = null;

  const line = (text: string): void => {
    if (open !== null) out += '\n';
    open = null;
    out += `${text}\n`;
  };
  const say = (itemId: string, said: string, text: string): void => {
    if (written.get(itemId) === said) return;
    written.set(itemId, said);
    line(text);
  };

  const grow = (itemId: string, content: string, hasEnded: boolean): void => {
    const before = written.get(itemId);
    const from = typeof before === 'number' ? before : 0;
    if (content.length > from) {
      if (open !== itemId) line(from === 0 ? '' : colours.dim('…'));
      out += visible(content.slice(from));
      open = itemId;
      written.set(itemId, content.length);
    }
    if (!hasEnded || open !== itemId) return;
    out += '\n';
    open = null;
  };

  const call = (item: ToolCallUpsert): void => {
    const title = oneLine(item.title ?? item.toolName);
    const known = written.get(item.itemId);
    if (known === undefined) say(item.itemId, 'begun', `${colours.cyan('●')} ${colours.bold(title)}`);
    if (isEnded(item)) say(item.itemId, 'ended', outputOf(item, colours));
  };

  const print = (item: UpsertObject): void => {
    switch (item.type) {
      case 'message':
        if (item.origin === 'agent') return grow(item.itemId, item.content, isEnded(item));
        if (item.origin === 'system') return say(item.itemId, 'said', colours.dim(visible(item.content)));
        return say(item.itemId, 'said', `\n${colours.bold('>')} ${visible(item.content).replaceAll('\n', '\n  ')}`);
      case 'thinking':
        return say(item.itemId, 'said', colours.dim('Thinking…'));
      case 'tool_call':
        return call(item);
      case 'plan': {
        const done = item.entries.filter(({ status }) => status === 'completed').length;
        const at = item.entries.find(({ status }) => status === 'in_progress')?.content ?? '';
        const said = `Plan: ${done} of ${item.entries.length} done${at === '' ? '' : `, now: ${oneLine(at)}`}`;
        return say(item.itemId, said, colours.dim(said));
      }
    }
  };

  const printEnd = (turnId: string, record: TurnRecord | undefined): void => {
    if (!record?.ended || endedTurns.has(turnId)) return;
    endedTurns.add(turnId);
    if (record.ended.type === 'turn_error') line(colours.red(`Failed: ${oneLine(record.ended.errorMessage)}`));
    else line(colours.dim(record.state === 'cancelled' ? '— stopped' : '— done'));
  };

  /** Skips everything from before this command started, except for the last turn. */
  const skipOld = (timeline: Readonly<Timeline>): void => {
    const last = timeline.turnIds.at(-1);
    for (const item of itemsInOrder(timeline)) if (item.turnId !== last) written.set(item.itemId, Infinity);
    for (const turnId of timeline.turnIds) if (turnId !== last) endedTurns.add(turnId);
  };

  return {
    next({ timeline, changed }) {
      out = '';
      if (!begun && !isWholeWanted) skipOld(timeline);
      const isAll = !begun || changed.reset;
      begun = true;
      const items = isAll ? itemsInOrder(timeline) : changed.items.flatMap((id) => timeline.items.get(id) ?? []);
      for (const item of items) if (written.get(item.itemId) !== Infinity) print(item);
      const turnIds = isAll ? timeline.turnIds : changed.turns;
      for (const turnId of turnIds) printEnd(turnId, timeline.turns.get(turnId)?.record);
      return out;
    },
  };
}

function outputOf(item: ToolCallUpsert, colours: Colours): string {
  if (item.refused) return colours.yellow('  refused');
  const lines = (item.toolOutput ?? '')
    .trimEnd()
    .split('\n')
    .filter((text) => text !== '');
  const failed = item.status === 'error' || item.toolOutputIsError === true;
  const paint = failed ? colours.red : colours.dim;
  const shown = lines.slice(-shownLines).map((text) => `  ${oneLine(text)}`);
  const left = lines.length - shown.length;
  const head = left > 0 ? [`  … ${left} more ${left === 1 ? 'line' : 'lines'}`] : [];
  return paint([...head, ...shown, ...(failed ? ['  failed'] : lines.length === 0 ? ['  ok'] : [])].join('\n'));
}
