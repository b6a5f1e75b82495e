import type { PermissionRequest } from '@liminal/contracts';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { isoTime } from '@liminal/domain/time/iso-time';
import { asRecord, asText, asNonEmptyString, isRecord, type Loose } from '../../kit/read-json.ts';
import type { ReplayedHistory } from '../../provider.ts';
import { readChoices } from '../session/choices.ts';
import { AgentRefused, promptFailure } from '../connection/failures.ts';
import { formQuestion } from '../permissions/form-question.ts';
import { permissionQuestion } from '../permissions/permission-question.ts';
import { type AgentQuirks, quirksOf } from '../translate/quirks.ts';
import { createReplay, type Replay } from '../translate/replay.ts';
import { createTranslator, type PromptEnd, type Translator } from '../translate/translate.ts';

/** The result of a recording: the same events a live session would have emitted. */
export type ReplayedEvent =
  | Emission
  | { readonly kind: 'permission'; readonly request: PermissionRequest }
  | { readonly kind: 'history'; readonly history: ReplayedHistory }
  | { readonly kind: 'unknown'; readonly name: string };

/** One line of a recording. */
export type RecordedLine = { readonly ms: number; readonly dir: string; readonly msg: unknown };

type RecordedPrompt = { readonly id: unknown; readonly turnId: string; end?: PromptEnd };

/** The start time of every replay, fixed so results can be compared. */
const replayEpoch = Date.UTC(2026, 0, 1);

/**
 * Plays a recording of both directions through the translator. Turns are numbered in order, and times count from a
 * fixed start, so the same file always gives the same result.
 */
export function replayRecording(lines: readonly RecordedLine[]): ReplayedEvent[] {
  const events: ReplayedEvent[] = [];
  const { providerId, quirks } = agentOf(lines);
  const options = { providerId, notesLackIds: quirks.notesLackIds };
  const translators = new Map<string, Translator>();
  const requests = new Map<unknown, { readonly method: string; readonly sessionId: string }>();
  const questions = new Map<
    unknown,
    { readonly callId: string; readonly sessionId: string; readonly request: PermissionRequest }
  >();
  /** The unanswered prompts of each session, in order; the first one's turn is running. */
  const prompts = new Map<string, RecordedPrompt[]>();
  /** The model of each session, if known. */
  const models = new Map<string, string>();
  let replay: { readonly sessionId: string; readonly replay: Replay } | undefined;
  let turns = 0;

  const translatorOf = (sessionId: string): Translator => {
    const known = translators.get(sessionId) ?? createTranslator({ sessionId, maxLatencyMs: 50, ...options });
    translators.set(sessionId, known);
    return known;
  };

  function tick(at: number): void {
    for (const translator of translators.values()) {
      for (let due = translator.nextDue(); due !== null && due <= at; due = translator.nextDue())
        events.push(...translator.tick(due));
    }
  }

  function learnModel(sessionId: string, answer: unknown): void {
    const { modelId } = readChoices(answer).info;
    if (modelId !== undefined) models.set(sessionId, modelId);
  }

  function fromClient(msg: Loose, at: number): void {
    const params = asRecord(msg['params']);
    const sessionId = asText(params['sessionId']) ?? '';
    if ('method' in msg && 'id' in msg) requests.set(msg['id'], { method: String(msg['method']), sessionId });
    if (msg['method'] === 'session/prompt') {
      turns += 1;
      const waiting = prompts.get(sessionId) ?? [];
      prompts.set(sessionId, waiting);
      waiting.push({ id: msg['id'], turnId: `turn-${turns}` });
      if (waiting.length === 1) startTurn(sessionId, at);
    } else if (msg['method'] === 'session/cancel') translatorOf(sessionId).noteCancel();
    else if (msg['method'] === 'session/load') replay = { sessionId, replay: createReplay({ sessionId, ...options }) };
    else if (!('method' in msg)) answered(msg, at);
  }

  /** One turn at a time, as in a live session: a prompt sent during a turn gets its own turn when that one ends. */
  function startTurn(sessionId: string, at: number): void {
    const [prompt] = prompts.get(sessionId) ?? [];
    if (!prompt) return;
    const translator = translatorOf(sessionId);
    events.push(...translator.startTurn({ turnId: prompt.turnId, modelId: models.get(sessionId) }, at));
    if (prompt.end) endTurn(sessionId, prompt.end, at);
  }

  function endTurn(sessionId: string, end: PromptEnd, at: number): void {
    prompts.get(sessionId)?.shift();
    events.push(...translatorOf(sessionId).endTurn(end, at).emissions);
    startTurn(sessionId, at);
  }

  function answered(msg: Loose, at: number): void {
    const question = questions.get(msg['id']);
    if (!question) return;
    questions.delete(msg['id']);
    const chosen = asText(asRecord(asRecord(msg['result'])['outcome'])['optionId']);
    const kind = question.request.options.find(({ optionId }) => optionId === chosen)?.kind ?? 'reject_once';
    events.push(...translatorOf(question.sessionId).answered(question.callId, kind.startsWith('allow'), at));
  }

  function fromAgent(msg: Loose, at: number): void {
    const params = asRecord(msg['params']);
    const sessionId = asText(params['sessionId']) ?? '';
    if (msg['method'] === 'session/update') {
      const target = replay?.sessionId === sessionId ? replay.replay : translatorOf(sessionId);
      const { emissions, unknown, configOptions } = target.update(params['update'], at);
      if (configOptions !== undefined) learnModel(sessionId, { configOptions });
      events.push(...emissions, ...(unknown === undefined ? [] : [{ kind: 'unknown', name: unknown } as const]));
    } else if ('method' in msg && 'id' in msg) asked(msg, sessionId, at);
    else if (!('method' in msg)) ended(msg, at);
  }

  function asked(msg: Loose, sessionId: string, at: number): void {
    const translator = translatorOf(sessionId);
    const place = {
      requestId: `request-${String(msg['id'])}`,
      turnId: translator.runningTurnId ?? 'session',
      openedAt: isoTime(at),
    };
    const question =
      msg['method'] === 'session/request_permission'
        ? permissionQuestion(msg['params'], place, translator.describeCall, quirks)
        : msg['method'] === 'elicitation/create'
          ? formQuestion(msg['params'], place)
          : null;
    if (!question) return;
    if (question.call) events.push(...translator.ask(question.call, at));
    events.push({ kind: 'permission', request: question.request });
    if (question.call) questions.set(msg['id'], { callId: question.call.callId, sessionId, request: question.request });
  }

  function ended(msg: Loose, at: number): void {
    const request = requests.get(msg['id']);
    requests.delete(msg['id']);
    if (request) learnModel(asText(asRecord(msg['result'])['sessionId']) ?? request.sessionId, msg['result']);
    if (request?.method === 'session/load') {
      if (replay && !isRecord(msg['error'])) events.push({ kind: 'history', history: replay.replay.finish(at) });
      replay = undefined;
    }
    if (request?.method !== 'session/prompt') return;
    const error = asRecord(msg['error']);
    const refused = isRecord(msg['error'])
      ? new AgentRefused(
          typeof error['code'] === 'number' ? error['code'] : 0,
          asNonEmptyString(error['message']) ?? '',
          error['data'],
        )
      : undefined;
    const end = refused
      ? { failure: promptFailure(refused, { name: providerId, login: {} }, []) }
      : { response: msg['result'] };
    const waiting = prompts.get(request.sessionId) ?? [];
    if (waiting[0]?.id === msg['id']) endTurn(request.sessionId, end, at);
    // Answered before its turn started: it ends as soon as it starts.
    else for (const prompt of waiting) if (prompt.id === msg['id']) prompt.end = end;
  }

  for (const { ms, dir, msg } of lines) {
    const at = replayEpoch + ms;
    tick(at);
    if (dir === 'client->agent') fromClient(asRecord(msg), at);
    else if (dir === 'agent->client') fromAgent(asRecord(msg), at);
    else if (dir === 'exit') {
      const failure = { code: 'PROCESS_CRASH' as const, message: 'The agent stopped.' };
      prompts.clear();
      for (const translator of translators.values()) events.push(...translator.close(failure, at));
    }
  }
  return events;
}

/** The recorded agent, from its own messages. */
function agentOf(lines: readonly RecordedLine[]): { readonly providerId: string; readonly quirks: AgentQuirks } {
  const initialized = lines
    .filter(({ dir }) => dir === 'agent->client')
    .map(({ msg }) => asRecord(asRecord(msg)['result']))
    .find((result) => isRecord(result['agentInfo']));
  const name = asNonEmptyString(asRecord(initialized?.['agentInfo'])['name']) ?? 'agent';
  // Our name for it: the last part of the package name, without the adapter suffix.
  const providerId = (name.split('/').at(-1) ?? name).replace(/-acp$/, '').toLowerCase();
  return { providerId, quirks: quirksOf(initialized) };
}
