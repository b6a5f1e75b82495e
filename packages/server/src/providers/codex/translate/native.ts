import type { PlanEntry, RateLimit, Usage } from '@liminal/contracts';
import {
  asCount,
  asNonEmptyString,
  asNumber,
  asRecord,
  asRecords,
  asText,
  type Loose,
  present,
} from '../../kit/read-json.ts';
import { diffsOfChanges } from './file-changes.ts';
import { type NativeItem, readItem } from './native-items.ts';
import type { FileDiff } from '@liminal/contracts';
import { modelFailure, type TurnFailure } from '../../acp/connection/failures.ts';

/** Why a turn failed, in Codex's own terms. */
export type NativeError = { readonly message: string; readonly kind?: string; readonly httpStatus?: number };

export type NativeEvent =
  /** `rootId`: the turn that this one is a part of, as in a review; its own id otherwise. */
  | { readonly kind: 'turn-started'; readonly turnId: string; readonly rootId: string }
  | {
      readonly kind: 'turn-completed';
      readonly turnId: string;
      readonly status: string;
      readonly error?: NativeError;
      readonly durationMs?: number;
    }
  | {
      readonly kind: 'item';
      readonly step: 'started' | 'completed';
      readonly turnId: string;
      readonly item: NativeItem;
    }
  | {
      readonly kind: 'text';
      readonly type: 'message' | 'thinking' | 'plan';
      readonly turnId: string;
      readonly itemId: string;
      readonly text: string;
    }
  /** Another part of the same thoughts starts. */
  | { readonly kind: 'part'; readonly itemId: string }
  | { readonly kind: 'output'; readonly callId: string; readonly text: string }
  | { readonly kind: 'changes'; readonly callId: string; readonly diffs: readonly FileDiff[] }
  | { readonly kind: 'plan'; readonly turnId: string; readonly entries: readonly PlanEntry[] }
  | { readonly kind: 'diff'; readonly turnId: string; readonly diff: string }
  | {
      readonly kind: 'usage';
      readonly total: Usage;
      readonly last: Usage;
      readonly context?: { readonly used: number; readonly size: number };
    }
  | { readonly kind: 'limits'; readonly limits: readonly RateLimit[]; readonly plan?: string }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'mcp'; readonly name: string; readonly state: string; readonly message?: string }
  | { readonly kind: 'failing'; readonly error: NativeError; readonly willRetry: boolean }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'silent' }
  | { readonly kind: 'unknown'; readonly name: string };

/** Notifications with nothing a user reads, or that repeat another one. */
const silent = new Set([
  'account/updated',
  'account/login/completed',
  'app/list/updated',
  'configWarning',
  'deprecationNotice',
  'fs/changed',
  'hook/completed',
  'hook/started',
  'item/autoApprovalReview/completed',
  'item/autoApprovalReview/started',
  'item/commandExecution/terminalInteraction',
  'item/fileChange/outputDelta',
  'item/mcpToolCall/progress',
  'item/reasoning/textDelta',
  'mcpServer/oauthLogin/completed',
  'model/verification',
  'project/changed',
  'rawResponse/completed',
  'rawResponseItem/completed',
  'remoteControl/status/changed',
  'serverRequest/resolved',
  'skills/changed',
  'thread/archived',
  'thread/closed',
  'thread/compacted',
  'thread/environment/connected',
  'thread/environment/disconnected',
  'thread/goal/cleared',
  'thread/goal/updated',
  'thread/queue/changed',
  'thread/readState/changed',
  'thread/reverted',
  'thread/settings/updated',
  'thread/started',
  'thread/status/changed',
  'thread/unarchived',
]);

/** Reads one notification. Anything unreadable is `unknown` with its name, so it can be counted. */
export function readNotification(method: string, params: Loose): NativeEvent {
  const turnId = asText(params['turnId']) ?? '';
  const itemId = asText(params['itemId']) ?? '';
  const text = asText(params['delta']) ?? '';
  switch (method) {
    case 'turn/started':
      return turnStarted(asRecord(params['turn']));
    case 'turn/completed':
      return readTurnEnd(asRecord(params['turn']));
    case 'item/started':
    case 'item/completed': {
      const step = method === 'item/started' ? 'started' : 'completed';
      return { kind: 'item', step, turnId, item: readItem(params['item']) };
    }
    case 'item/agentMessage/delta':
      return { kind: 'text', type: 'message', turnId, itemId, text };
    case 'item/reasoning/summaryTextDelta':
      return { kind: 'text', type: 'thinking', turnId, itemId, text };
    case 'item/reasoning/summaryPartAdded':
      return { kind: 'part', itemId };
    case 'item/plan/delta':
      return { kind: 'text', type: 'plan', turnId, itemId, text };
    case 'item/commandExecution/outputDelta':
      return { kind: 'output', callId: itemId, text };
    case 'item/fileChange/patchUpdated':
      return { kind: 'changes', callId: itemId, diffs: diffsOfChanges(params['changes']) };
    case 'turn/plan/updated':
      return { kind: 'plan', turnId, entries: asRecords(params['plan']).map(readStep) };
    case 'turn/diff/updated':
      return { kind: 'diff', turnId, diff: asText(params['diff']) ?? '' };
    case 'thread/tokenUsage/updated':
      return readUsage(asRecord(params['tokenUsage']));
    case 'account/rateLimits/updated':
      return readLimits(asRecord(params['rateLimits']));
    case 'thread/name/updated': {
      const title = asNonEmptyString(params['threadName']);
      return title === undefined ? { kind: 'silent' } : { kind: 'title', title };
    }
    case 'mcpServer/startupStatus/updated': {
      const name = asNonEmptyString(params['name']);
      const state = asNonEmptyString(params['status']);
      if (name === undefined || state === undefined) return { kind: 'unknown', name: `${method} without a name` };
      return { kind: 'mcp', name, state, ...present({ message: asNonEmptyString(params['error']) }) };
    }
    case 'error':
      return { kind: 'failing', error: readError(params['error']), willRetry: params['willRetry'] === true };
    case 'model/rerouted':
      return { kind: 'note', text: `The answer comes from ${asText(params['toModel']) ?? 'another model'}.` };
    case 'warning':
    case 'guardianWarning': {
      const message = asNonEmptyString(params['message']);
      return message === undefined ? { kind: 'silent' } : { kind: 'note', text: message };
    }
    default:
      return silent.has(method) ? { kind: 'silent' } : { kind: 'unknown', name: method };
  }
}

function turnStarted(turn: Loose): NativeEvent {
  const turnId = asText(turn['id']) ?? '';
  return { kind: 'turn-started', turnId, rootId: asNonEmptyString(turn['rootTurnId']) ?? turnId };
}

function readTurnEnd(turn: Loose): NativeEvent {
  return {
    kind: 'turn-completed',
    turnId: asText(turn['id']) ?? '',
    status: asText(turn['status']) ?? 'completed',
    ...present({
      error: turn['error'] === null || turn['error'] === undefined ? undefined : readError(turn['error']),
      durationMs: asCount(turn['durationMs']),
    }),
  };
}

/** `codexErrorInfo` is a string, or an object with details under that string. */
function readError(raw: unknown): NativeError {
  const error = asRecord(raw);
  const info = error['codexErrorInfo'];
  const [kind, details] =
    typeof info === 'string' ? [info, undefined] : (Object.entries(asRecord(info))[0] ?? [undefined, undefined]);
  return {
    message: asText(error['message']) ?? '',
    ...present({ kind, httpStatus: asCount(asRecord(details)['httpStatusCode']) }),
  };
}

function readStep(raw: Loose): PlanEntry {
  const status = raw['status'];
  return {
    content: asText(raw['step']) ?? '',
    status: status === 'completed' ? 'completed' : status === 'inProgress' ? 'in_progress' : 'pending',
  };
}

function readUsage(reported: Loose): NativeEvent {
  const size = asCount(reported['modelContextWindow']);
  const used = asCount(asRecord(reported['last'])['totalTokens']);
  return {
    kind: 'usage',
    total: readTokens(reported['total']),
    last: readTokens(reported['last']),
    ...(size !== undefined && used !== undefined && { context: { used, size } }),
  };
}

function readTokens(raw: unknown): Usage {
  const reported = asRecord(raw);
  return {
    inputTokens: asCount(reported['inputTokens']) ?? 0,
    outputTokens: asCount(reported['outputTokens']) ?? 0,
    cacheReadInputTokens: asCount(reported['cachedInputTokens']) ?? 0,
    cacheCreationInputTokens: asCount(reported['cacheWriteInputTokens']) ?? 0,
  };
}

function readLimits(reported: Loose): NativeEvent {
  const limits = ['primary', 'secondary'].flatMap((name) => {
    const window = asRecord(reported[name]);
    const percent = asNumber(window['usedPercent']);
    if (percent === undefined) return [];
    const minutes = asCount(window['windowDurationMins']);
    const seconds = asCount(window['resetsAt']);
    return [
      {
        usedPercent: Math.min(Math.max(percent, 0), 100),
        ...present({
          windowMinutes: minutes,
          resetsAt: seconds === undefined ? undefined : new Date(seconds * 1000).toISOString(),
        }),
      },
    ];
  });
  return { kind: 'limits', limits, ...present({ plan: asNonEmptyString(reported['planType']) }) };
}

const limits = new Set(['usageLimitExceeded', 'rateLimitExceeded', 'sessionBudgetExceeded']);
const tooManyRequests = 429;
const unauthorized = 401;

/** Why a turn failed, from Codex's report. `loginSteps`: how a user signs in. */
export function codexFailure({ message, kind, httpStatus }: NativeError, loginSteps: () => string): TurnFailure {
  const failure = modelFailure(message);
  if (kind === 'unauthorized' || httpStatus === unauthorized)
    return { code: 'AGENT_AUTH_REQUIRED', message: loginSteps() };
  if ((kind !== undefined && limits.has(kind)) || httpStatus === tooManyRequests)
    return { code: 'RATE_LIMITED', message: failure.message };
  return failure;
}
