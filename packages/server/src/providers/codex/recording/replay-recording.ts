import type { PermissionRequest } from '@liminal/contracts';
import { isoTime } from '@liminal/domain/time/iso-time';
import type { RecordedLine, ReplayedEvent } from '../../acp/recording/replay-recording.ts';
import { asRecord, asRecords, asText, isRecord, type Loose } from '../../kit/read-json.ts';
import { codexQuestion, type CodexQuestion } from '../permissions/approval-question.ts';
import { planQuestion } from '../permissions/user-input-question.ts';
import { historyOfTurns } from '../record/history.ts';
import { createTranslator, type Translation } from '../translate/translate.ts';

/** The start time of every replay, fixed so results can be compared. */
const replayEpoch = Date.UTC(2026, 0, 1);
const turnMethods = new Set(['turn/start', 'review/start', 'thread/compact/start']);

/**
 * Plays a recording of both directions through the translator. Turns are numbered in order, and times count from a
 * fixed start, so the same file always gives the same result.
 */
export function replayRecording(lines: readonly RecordedLine[]): ReplayedEvent[] {
  const events: ReplayedEvent[] = [];
  const threadId = threadOf(lines);
  const translator = createTranslator({
    sessionId: threadId,
    providerId: 'codex',
    maxLatencyMs: 50,
    holdsPlans: () => true,
  });
  const requests = new Map<unknown, string>();
  const questions = new Map<unknown, CodexQuestion>();
  let turns = 0;
  let asked = 0;

  const place = (at: number) => ({
    requestId: `request-${asked++}`,
    turnId: translator.runningTurnId ?? 'session',
    openedAt: isoTime(at),
  });
  const ask = (request: PermissionRequest): void => void events.push({ kind: 'permission', request });

  function take({ emissions, unknown, planned }: Translation, at: number): void {
    events.push(...emissions);
    if (unknown !== undefined) events.push({ kind: 'unknown', name: unknown });
    if (!planned) return;
    // Nobody answers a plan in a recording, so it stays open.
    ask(planQuestion(planned.text, place(at)).request);
    take(translator.finishPlan(false, at), at);
  }

  function fromClient(msg: Loose, at: number): void {
    const method = asText(msg['method']);
    if (method === undefined) return answered(msg, at);
    if ('id' in msg) requests.set(msg['id'], method);
    if (turnMethods.has(method) && translator.runningTurnId === null) {
      turns += 1;
      events.push(...translator.startTurn({ turnId: `turn-${turns}`, modelId: 'gpt-5.5' }, at));
    } else if (method === 'turn/interrupt') translator.noteCancel();
  }

  function answered(msg: Loose, at: number): void {
    const question = questions.get(msg['id']);
    questions.delete(msg['id']);
    if (question?.callId === undefined) return;
    const { decision, action } = asRecord(msg['result']);
    const isAllowed = isRecord(decision) || (asText(decision ?? action) ?? 'accept').startsWith('accept');
    events.push(...translator.answered(question.callId, isAllowed, at));
  }

  function fromAgent(msg: Loose, at: number): void {
    const method = asText(msg['method']);
    const params = asRecord(msg['params']);
    if (method === undefined) return result(msg, at);
    if (!('id' in msg)) return take(translator.notified(method, params, at), at);
    const calls = { find: translator.describeCall, open: translator.openCalls() };
    const question = codexQuestion({ method, params }, place(at), calls);
    if (!question) return;
    questions.set(msg['id'], question);
    if (question.callId !== undefined) events.push(...translator.ask(question.callId, at));
    ask(question.request);
  }

  function result(msg: Loose, at: number): void {
    const method = requests.get(msg['id']) ?? '';
    requests.delete(msg['id']);
    const answer = asRecord(msg['result']);
    if (turnMethods.has(method)) {
      const nativeId = asText(asRecord(answer['turn'])['id']);
      if (nativeId !== undefined) translator.bind(nativeId);
      if (isRecord(msg['error']))
        take(translator.endTurn({ failure: { code: 'PROTOCOL_ERROR', message: 'Codex refused.' } }, at), at);
    }
    if (method === 'thread/turns/list')
      events.push({
        kind: 'history',
        history: historyOfTurns(threadId, 'codex', asRecords(answer['data']).toReversed()),
      });
  }

  for (const { ms, dir, msg } of lines) {
    const at = replayEpoch + ms;
    for (let due = translator.nextDue(); due !== null && due <= at; due = translator.nextDue())
      events.push(...translator.tick(due));
    if (dir === 'client->agent') fromClient(asRecord(msg), at);
    else if (dir === 'agent->client') fromAgent(asRecord(msg), at);
    else events.push(...translator.close({ code: 'PROCESS_CRASH', message: 'The agent stopped.' }, at));
  }
  return events;
}

function threadOf(lines: readonly RecordedLine[]): string {
  for (const { msg } of lines) {
    const id = asText(asRecord(asRecord(asRecord(msg)['result'])['thread'])['id']);
    if (id !== undefined) return id;
  }
  return 'recorded-thread';
}
