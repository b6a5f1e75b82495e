import type { BackgroundTask } from '@liminal/contracts';
import { asList, asOptionalRecord, asRecord, asText, asTexts, inTable, type Loose } from '../../kit/read-json.ts';
import type { Native, NativeInit } from './native.ts';
import { clearedNote, initKey, initNote, knownSubtypes, rateLimitNote, retryNote, systemNote } from './notes.ts';
import { countUnknown } from './translate-stream.ts';
import { bindMessages, endTurn, ensureTurn, isAwaited, startAgentTurn } from './translate-turns.ts';
import { retract } from './translate-whole.ts';
import { type Translation, note, reportInfo } from './translation.ts';

/** The start of a turn: names the messages of ours that it answers, or none if the agent woke by itself. */
export function translateInit(t: Translation, init: NativeInit, at: number): void {
  t.namesMessages ||= init.namesMessages;
  if (t.current && !isAwaited(t)) {
    // The next turn has started, and the end of this one was never reported.
    const goesOn = init.uuids.length === 0 ? !t.namesMessages : !init.uuids.some((uuid) => isPending(t, uuid));
    if (!goesOn) endTurn(t, t.current, { status: 'completed' }, at);
  }
  t.model = init.model;
  t.draining = false;
  bindMessages(t, init.uuids, init.model, at);
  if (!t.current) {
    // An older Claude Code names no messages: it answers the one that waits.
    if (t.namesMessages) startAgentTurn(t, init.model, at);
    else ensureTurn(t, init.model, at);
  }
  reportInfo(t, { modelId: init.model, ...(init.mode && { modeId: init.mode }) });
  if (init.sessionId && init.sessionId !== t.agentSessionId) {
    t.agentSessionId = init.sessionId;
    t.signals.push({ kind: 'agent-session', sessionId: init.sessionId });
  }
  if (t.wasCleared) note(t, clearedNote, at);
  t.wasCleared = false;
  if (initKey(init) === t.initKey) return;
  t.initKey = initKey(init);
  note(t, initNote(init), at);
}

const isPending = (t: Translation, uuid: string): boolean => t.pending.some((send) => send.uuid === uuid);

export function translateSystem(t: Translation, native: Extract<Native, { kind: 'system' }>, at: number): void {
  const { subtype, fields } = native;
  // A list of messages on a status binds only to a running turn: only `init` starts one.
  if (t.current) bindMessages(t, native.uuids, undefined, at);
  if (!knownSubtypes.has(subtype)) return countUnknown(t, `system ${subtype || 'without a subtype'}`);
  if (subtype.startsWith('task_') || subtype === 'background_tasks_changed') return translateTask(t, subtype, fields);
  if (subtype === 'api_retry') return note(t, retryNote(fields), at);
  if (subtype === 'commands_changed') return reportInfo(t, { commands: commandsOf(fields['commands']) });
  if (subtype === 'status') {
    const mode = asText(fields['permissionMode']);
    if (mode) reportInfo(t, { modeId: mode });
  }
  if (subtype.startsWith('model_refusal')) {
    retract(t, asTexts(fields['retracted_message_uuids']), at);
    if (t.current) t.current.refusalSaid = true;
  }
  const sentence = systemNote(subtype, fields)?.trim();
  if (sentence) note(t, sentence, at);
}

export function translateRateLimit(t: Translation, limit: Loose, at: number): void {
  const sentence = rateLimitNote(limit) ?? '';
  // It is repeated with every answer; only a change is reported.
  if (sentence !== '' && sentence !== t.limitNote) note(t, sentence, at);
  t.limitNote = sentence;
}

export function commandsOf(value: unknown): { name: string; description?: string; hint?: string }[] {
  return asList(value).flatMap((entry) => {
    const command = asOptionalRecord(entry);
    const name = asText(command?.['name']);
    if (!command || !name) return [];
    const description = asText(command['description']);
    const hint = asText(command['argumentHint']);
    return [{ name, ...(description && { description }), ...(hint && { hint }) }];
  });
}

/** Background tasks, with their state. */
function translateTask(t: Translation, subtype: string, fields: Loose): void {
  if (subtype === 'background_tasks_changed') {
    // It lists live tasks: one missing without a final report has stopped.
    const live = new Set(asList(fields['tasks']).map((task) => asText(asRecord(task)['task_id'])));
    for (const entry of asList(fields['tasks'])) noteTask(t, asRecord(entry), 'running');
    for (const task of t.tasks.values()) {
      if (task.state === 'running' && !live.has(task.taskId)) t.tasks.set(task.taskId, { ...task, state: 'stopped' });
    }
  } else if (subtype === 'task_started') {
    // A foreground task is the call itself, not background work.
    if (fields['is_backgrounded'] === false) return;
    noteTask(t, fields, 'running');
  } else if (subtype === 'task_notification') {
    if (!t.tasks.has(asText(fields['task_id']) ?? '')) return;
    noteTask(t, fields, inTable(taskStates, asText(fields['status']) ?? '') ?? 'completed');
  } else if (subtype === 'task_updated') {
    const patch = asRecord(fields['patch']);
    const known = t.tasks.has(asText(fields['task_id']) ?? '');
    const state = inTable(taskStates, asText(patch['status']) ?? '');
    if (patch['is_backgrounded'] === true) noteTask(t, { ...fields, ...patch }, state ?? 'running');
    else if (known && state) noteTask(t, fields, state);
    else return;
  } else {
    return;
  }
  reportInfo(t, { backgroundTasks: [...t.tasks.values()] });
}

const taskStates: Readonly<Record<string, BackgroundTask['state']>> = {
  pending: 'running',
  running: 'running',
  paused: 'running',
  completed: 'completed',
  failed: 'failed',
  killed: 'stopped',
  stopped: 'stopped',
};

/** Older finished tasks are dropped, so a long session doesn't carry every task it ever had. */
const keptTasks = 50;

function noteTask(t: Translation, fields: Loose, state: BackgroundTask['state']): void {
  const taskId = asText(fields['task_id']);
  if (!taskId || fields['ambient'] === true || fields['skip_transcript'] === true) return;
  const known = t.tasks.get(taskId);
  const callId = asText(fields['tool_use_id']) ?? known?.callId;
  const title = known?.title || asText(fields['description']) || asText(fields['summary']) || 'Background task';
  t.tasks.set(taskId, { taskId, title, state, ...(callId && { callId }) });
  for (const task of t.tasks.values()) {
    if (t.tasks.size <= keptTasks) break;
    if (task.state !== 'running') t.tasks.delete(task.taskId);
  }
}

export const hasRunningTasks = (t: Translation): boolean =>
  [...t.tasks.values()].some((task) => task.state === 'running');
