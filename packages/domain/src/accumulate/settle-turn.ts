import { completeText } from './text-items.ts';
import type { Core } from './core.ts';
import type { Emission } from './emission.ts';
import { growingTextOf, isUnsent, type OpenItem } from './open-item.ts';
import type { TurnOutcome } from './turns.ts';

/** Settles a turn's open items when it ends, before the terminal event (decision 15). */
export function settleTurn(core: Core, turnId: string, outcome: TurnOutcome, at: number): readonly Emission[] {
  const open = core.items.ofTurn(turnId);
  switch (outcome.status) {
    case 'completed':
      return open.flatMap((item) => complete(core, item, at));
    case 'failed': {
      const failure = { code: outcome.errorCode, message: outcome.errorMessage };
      return open.flatMap((item) => {
        item.sourceAt = at;
        return failOrForget(core, item, failure, at);
      });
    }
    case 'cancelled':
      return open.flatMap((item) => stop(core, item, at));
  }
}

/** An item that nobody has seen needs no error of its own. */
export function failOrForget(
  core: Core,
  item: OpenItem,
  failure: { readonly code: string; readonly message: string },
  at: number,
): readonly Emission[] {
  if (!isUnsent(item)) return [core.items.fail(item, failure, at)];
  core.items.drop(item);
  return [];
}

function complete(core: Core, item: OpenItem, at: number): readonly Emission[] {
  switch (item.type) {
    case 'message':
    case 'thinking':
      item.sourceAt = at;
      return completeText(core, item, at);
    case 'plan':
      item.sourceAt = at;
      return [core.items.complete(item, at)];
    case 'tool_call':
      // It stays open for a late result; its output so far shouldn't wait for that.
      return core.announceArguments && item.output.hasUnsent() ? [core.items.emit(item, at)] : [];
  }
}

/** A cancelled item keeps its status: its last text is emitted as one more step. A late result no longer finds it. */
function stop(core: Core, item: OpenItem, at: number): readonly Emission[] {
  const unsent = item.changed || (growingTextOf(item)?.hasUnsent() ?? false);
  const emissions = unsent ? [core.items.emit(item, at)] : [];
  core.items.drop(item);
  return emissions;
}
