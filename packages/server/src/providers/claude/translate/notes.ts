import { asNumber, asText, type Loose } from '../../kit/read-json.ts';
import type { NativeInit } from './native.ts';

/** Claude Code's reports beside the conversation, as plain sentences (MM-1). Undefined: not for the user. */

export const initNote = (init: NativeInit): string =>
  `Claude Code${init.version && ` ${init.version}`} is ready: model ${init.model}, folder ${init.cwd || 'unknown'}.`;

/** `init` is repeated every turn; only a change of these is reported. */
export const initKey = (init: NativeInit): string => [init.model, init.cwd, init.version].join('\n');

export const clearedNote = 'The conversation was cleared. Claude Code no longer remembers the messages above.';

export function retryNote(fields: Loose): string {
  const status = asNumber(fields['error_status']);
  const error = asText(fields['error']);
  const reason = [status, error && error !== 'unknown' && error.replaceAll('_', ' ')].filter(Boolean).join(', ');
  const delay = ((asNumber(fields['retry_delay_ms']) ?? 0) / 1000).toFixed(1);
  const attempt = asNumber(fields['attempt']) ?? 1;
  const most = asNumber(fields['max_retries']);
  const what = reason ? `The model's service failed (${reason}).` : 'The connection to the model was lost.';
  return `${what} Retrying in ${delay} s, attempt ${attempt}${most === undefined ? '' : ` of ${most}`}.`;
}

export function compactNote(fields: Loose): string {
  const metadata = (fields['compact_metadata'] ?? fields['compactMetadata']) as Loose | undefined;
  const before = asNumber(metadata?.['pre_tokens']) ?? asNumber(metadata?.['preTokens']);
  const after = asNumber(metadata?.['post_tokens']) ?? asNumber(metadata?.['postTokens']);
  const sizes = before === undefined ? '' : ` (${before}${after === undefined ? '' : ` to ${after}`} tokens)`;
  return `The conversation was compacted${sizes}. You can still read earlier messages here.`;
}

export function rateLimitNote(limit: Loose): string | undefined {
  const status = asText(limit['status']);
  if (status !== 'rejected' && status !== 'allowed_warning') return undefined;
  const resets = asNumber(limit['resetsAt']);
  // Seconds, as far as observed; a value this large can only be milliseconds.
  const at = new Date(resets === undefined ? Number.NaN : resets > 1e12 ? resets : resets * 1000);
  const when = Number.isNaN(at.getTime()) ? '' : ` It resets at ${at.toISOString()}.`;
  const which = asText(limit['rateLimitType'])?.replaceAll('_', ' ');
  if (status === 'rejected') return `You reached the usage limit of your plan${which ? ` (${which})` : ''}.${when}`;
  const used = asNumber(limit['utilization']);
  const share = used === undefined ? '' : ` (${Math.round(used > 1 ? used : used * 100)} % used)`;
  return `You are close to the usage limit of your plan${share}.${when}`;
}

function hookNote(fields: Loose): string | undefined {
  const blocked = asNumber(fields['exit_code']) === 2 || fields['outcome'] === 'error';
  if (!blocked) return undefined;
  const said = (asText(fields['stderr']) || asText(fields['output']) || asText(fields['stdout']) || '').trim();
  return `The hook ${asText(fields['hook_name']) ?? 'of this folder'} stopped this${said ? `: ${said}` : '.'}`;
}

/** The note for a system message of this kind; `undefined` if the user needn't see it. */
export function systemNote(subtype: string, fields: Loose): string | undefined {
  switch (subtype) {
    case 'compact_boundary':
      return compactNote(fields);
    case 'status':
      return fields['compact_result'] === 'failed'
        ? `The conversation couldn't be compacted: ${asText(fields['compact_error']) ?? 'no reason given'}.`
        : undefined;
    case 'model_refusal_fallback':
    case 'model_refusal_no_fallback':
      return asText(fields['content']) || 'The model declined to answer.';
    case 'hook_response':
      return hookNote(fields);
    case 'informational':
      return fields['level'] !== 'info' || fields['prevent_continuation'] === true
        ? asText(fields['content'])
        : undefined;
    case 'notification':
      return fields['priority'] === 'high' || fields['priority'] === 'immediate' ? asText(fields['text']) : undefined;
    case 'local_command_output':
      return asText(fields['content']);
    case 'plugin_install':
      return fields['status'] === 'failed'
        ? `The plugin ${asText(fields['name']) ?? ''} couldn't be installed: ${asText(fields['error']) ?? 'no reason given'}.`
        : undefined;
    case 'session_writes_lost':
      return "Claude Code couldn't save part of this conversation: the disk is full or its quota is used up.";
    default:
      return undefined;
  }
}

/** System messages we know: the rest is counted (MM-3). */
export const knownSubtypes: ReadonlySet<string> = new Set([
  'status',
  'api_retry',
  'compact_boundary',
  'model_refusal_fallback',
  'model_refusal_no_fallback',
  'hook_started',
  'hook_progress',
  'hook_response',
  'informational',
  'notification',
  'local_command_output',
  'plugin_install',
  'session_writes_lost',
  'thinking_tokens',
  'task_started',
  'task_updated',
  'task_progress',
  'task_notification',
  'background_tasks_changed',
  'commands_changed',
  'session_state_changed',
  'permission_denied',
  'files_persisted',
  'mirror_error',
  'elicitation_complete',
  'memory_recall',
  'worker_shutting_down',
  'ui_invalidate',
]);
