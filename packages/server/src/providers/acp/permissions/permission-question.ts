import { type FileDiff, PermissionOption, type PermissionRequest } from '@liminal/contracts';
import type { AgentQuestion } from '../../kit/open-questions.ts';
import { asRecord, asRecords, asText, asNonEmptyString, inTable, present } from '../../kit/read-json.ts';
import { type NativeCall, readCall } from '../translate/native.ts';
import type { AgentQuirks } from '../translate/quirks.ts';
import type { CallDescription } from '../translate/translate-calls.ts';

/** Something an agent asks a user, and the call it is about, to show as waiting. */
export type Question = AgentQuestion<unknown> & { readonly call: NativeCall | null };

export type QuestionPlace = { readonly requestId: string; readonly turnId: string; readonly openedAt: string };

const withdrawn = { outcome: { outcome: 'cancelled' } };
/** Represents ACP's `cancelled` outcome where an agent offers no way to refuse. */
const ownReject: PermissionOption = { optionId: 'liminal:reject', name: 'Reject', kind: 'reject_once' };

/**
 * Reads a `session/request_permission`. Every option is shown under its own name and answered by its id, because kinds
 * aren't unique. Null if no option accepts: then there is nothing to ask.
 */
export function permissionQuestion(
  params: unknown,
  place: QuestionPlace,
  known: (callId: string) => CallDescription | undefined,
  { optionTexts = {} }: Partial<AgentQuirks> = {},
): Question | null {
  const raw = asRecord(params);
  const call = readCall(raw['toolCall']);
  const described = call ? known(call.callId) : undefined;
  const all = asRecords(raw['options']);
  const offered = mildestRefusalFirst(all.flatMap((option) => readOption(option, optionTexts)));
  if (!offered.some((option) => option.kind.startsWith('allow'))) return null;
  const canRefuse = offered.some((option) => option.kind.startsWith('reject'));
  // Unknown options come last: a caller that takes the first refusal must not take one of these.
  const options = [...offered, ...(canRefuse ? [] : [ownReject]), ...all.flatMap(readUnknownOption)];
  const diffs: readonly FileDiff[] | undefined = call?.diffs ?? described?.diffs;
  const isPlan = asRecord(raw['toolCall'])['kind'] === 'switch_mode';

  const request: PermissionRequest = {
    ...place,
    kind: isPlan ? 'plan' : 'tool',
    title: call?.title ?? described?.title ?? 'The agent needs permission',
    options,
    ...present({
      callId: call?.callId,
      description: call?.text ?? undefined,
      toolName: call?.name ?? described?.toolName ?? call?.kind ?? undefined,
      toolArguments: call?.toolArguments ?? described?.toolArguments,
      diffs: diffs && [...diffs],
    }),
  };
  return {
    request,
    call,
    withdrawn,
    reply: ({ optionId }) =>
      optionId === ownReject.optionId ? withdrawn : { outcome: { outcome: 'selected', optionId } },
  };
}

const optionKinds = new Set<string>(PermissionOption.shape.kind.options);

/** Refusing and continuing comes before refusing and ending the turn, for callers that take the first refusal. */
function mildestRefusalFirst(options: readonly PermissionOption[]): readonly PermissionOption[] {
  const decline = options.find(({ optionId }) => optionId === 'decline');
  const others = options.filter((option) => option !== decline);
  const first = others.findIndex(({ kind }) => kind.startsWith('reject'));
  return decline && first >= 0 ? others.toSpliced(first, 0, decline) : options;
}

/** An option of a kind this version knows. */
function readOption(raw: Record<string, unknown>, optionTexts: AgentQuirks['optionTexts']): PermissionOption[] {
  const optionId = asNonEmptyString(raw['optionId']);
  const kind = asText(raw['kind']) ?? '';
  if (optionId === undefined || !optionKinds.has(kind)) return [];
  return [
    {
      optionId,
      name: asNonEmptyString(raw['name']) ?? optionId,
      kind: kind as PermissionOption['kind'],
      ...present({ description: inTable(optionTexts, optionId) }),
    },
  ];
}

/** An option of any other kind, whatever its name: a user may choose it, but it never counts as approval. */
function readUnknownOption(raw: Record<string, unknown>): PermissionOption[] {
  const optionId = asNonEmptyString(raw['optionId']);
  const kind = asText(raw['kind']) ?? '';
  if (optionId === undefined || optionKinds.has(kind)) return [];
  const description = `This version doesn't support this kind of answer (“${kind}”).`;
  return [{ optionId, name: asNonEmptyString(raw['name']) ?? optionId, kind: 'reject_always', description }];
}
