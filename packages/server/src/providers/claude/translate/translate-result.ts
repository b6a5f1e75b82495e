import { failureOfResult } from './claude-failure.ts';
import type { NativeResult } from './native.ts';
import { beginMissed, bindMessages, endTurn, ensureTurn, isAwaited } from './translate-turns.ts';
import { type Translation, note, reportInfo } from './translation.ts';
import { contextUsed, noUsage, toUsage, totalCost, totalUsage } from './usage.ts';

/** The end of a turn, read in the order of decision 1: interrupted, failed, else completed. */
export function translateResult(t: Translation, result: NativeResult, at: number): void {
  if (t.draining) {
    t.draining = false;
    failUnshown(t, result.uuids, at);
    return beginMissed(t, at);
  }
  bindMessages(t, result.uuids, undefined, at);
  // This ends something Claude Code did by itself before our message, which is still unanswered.
  if (isAwaited(t)) return reportSessionUsage(t, result, noUsage);
  if (!t.current && t.pending.length === 0) return;
  const turn = ensureTurn(t, undefined, at);
  const cancelled = turn.interrupted || result.terminalReason.startsWith('aborted_');
  const failed = !cancelled && (result.isError || result.terminalReason === 'api_error');

  if (!failed && turn.failureText !== undefined) note(t, turn.failureText, at);
  if (turn.refused && !turn.refusalSaid) note(t, 'The model declined to answer.', at);
  if (result.structuredOutput !== undefined && result.structuredOutput !== null) {
    note(t, `Structured output:\n\n\`\`\`json\n${JSON.stringify(result.structuredOutput, null, 2)}\n\`\`\``, at);
  }

  const totals = {
    ...(result.usage && { usage: toUsage(result.usage) }),
    ...costOf(t, result),
    ...(result.durationMs !== undefined && { durationMs: Math.max(0, result.durationMs) }),
  };
  reportSessionUsage(t, result, turn.lastUsage);
  if (failed) {
    const failure = failureOfResult({ ...result, text: result.text || (turn.failureText ?? '') }, turn.failureStamp);
    endTurn(t, turn, { status: 'failed', errorCode: failure.code, errorMessage: failure.message, ...totals }, at);
  } else {
    endTurn(t, turn, { status: cancelled ? 'cancelled' : 'completed', ...totals }, at);
  }
  beginMissed(t, at);
}

/** Claude Code answered these messages in the rest of a turn that can't be shown. Nothing else will end them. */
function failUnshown(t: Translation, uuids: readonly string[], at: number): void {
  const errorMessage =
    "Claude Code answered this message in a turn that can't be shown. Send it again if nothing was done.";
  for (const uuid of uuids) {
    bindMessages(t, [uuid], undefined, at);
    if (t.current) endTurn(t, t.current, { status: 'failed', errorCode: 'PROTOCOL_ERROR', errorMessage }, at);
  }
}

/** What this turn cost: the total is the session's, and a resumed session's total includes its earlier cost. */
function costOf(t: Translation, result: NativeResult): { costUsd?: number } {
  const before = t.costSoFar;
  if (result.totalCostUsd !== undefined) t.costSoFar = result.totalCostUsd;
  if (result.sinceLast) return { costUsd: totalCost(result.sinceLast) };
  return result.totalCostUsd === undefined ? {} : { costUsd: Math.max(0, result.totalCostUsd - before) };
}

function reportSessionUsage(t: Translation, result: NativeResult, last: Parameters<typeof contextUsed>[0]): void {
  const main = result.models.find((use) => use.model === t.model) ?? result.models[0];
  const used = contextUsed(last);
  reportInfo(t, {
    ...(result.usage && { turnUsage: toUsage(result.usage) }),
    ...(result.models.length > 0 && { sessionUsage: toUsage(totalUsage(result.models)) }),
    ...(result.totalCostUsd !== undefined && { sessionCostUsd: Math.max(0, result.totalCostUsd) }),
    ...(main && main.contextWindow > 0 && used > 0 && { context: { used, size: main.contextWindow } }),
  });
}
