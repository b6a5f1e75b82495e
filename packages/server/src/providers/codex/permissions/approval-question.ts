import { isDeepStrictEqual } from 'node:util';
import type { PermissionOption, PermissionRequest } from '@liminal/contracts';
import type { QuestionPlace } from '../../acp/permissions/permission-question.ts';
import { formQuestion } from '../../acp/permissions/form-question.ts';
import type { AgentQuestion } from '../../kit/open-questions.ts';
import { asNonEmptyString, asRecord, asRecords, asTexts, isRecord, type Loose, present } from '../../kit/read-json.ts';
import { commandText } from '../translate/command-text.ts';
import type { NativeCall } from '../translate/native-items.ts';
import { userInputQuestion } from './user-input-question.ts';

/** Something Codex asks a user, and the call it is about. */
export type CodexQuestion = AgentQuestion<unknown> & { readonly callId?: string };

/** One answer a user may choose, and Codex's reply for it. */
type Offer = PermissionOption & { readonly reply: unknown };

export type Asked = { readonly method: string; readonly params: Loose };

const decline = { optionId: 'decline', name: 'No, continue without it', kind: 'reject_once' } as const;
const cancel = {
  optionId: 'cancel',
  name: 'No, and tell Codex what to do differently',
  kind: 'reject_once',
  description: 'This ends the turn.',
} as const;
const allow = { optionId: 'allow_once', name: 'Yes, proceed', kind: 'allow_once' } as const;
const forSession = { kind: 'allow_always', description: 'For this session only.' } as const;

/** The calls of the thread that asks. */
export type KnownCalls = {
  readonly find: (callId: string) => NativeCall | undefined;
  readonly open: readonly NativeCall[];
};

/** Reads a request from Codex. Null for one this version can't show to a user. */
export function codexQuestion(
  { method, params }: Asked,
  place: QuestionPlace,
  calls: KnownCalls,
): CodexQuestion | null {
  const call = calls.find(asNonEmptyString(params['itemId']) ?? '');
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return question(place, params, call, { title: commandTitle(params, call), offers: commandOffers(params) });
    case 'item/fileChange/requestApproval':
      return question(place, params, call, { title: 'Edit files', offers: fileOffers() });
    case 'item/permissions/requestApproval':
      return question(place, params, call, {
        title: 'More permissions for this turn',
        toolArguments: asRecord(params['permissions']),
        offers: permissionOffers(params['permissions']),
      });
    case 'item/tool/requestUserInput':
      return userInputQuestion(params, place);
    case 'mcpServer/elicitation/request':
      return elicitation(params, place, callOfTool(params, calls.open));
    default:
      return null;
  }
}

type Shown = { readonly title: string; readonly offers: readonly Offer[]; readonly toolArguments?: Loose };

function question(place: QuestionPlace, params: Loose, call: NativeCall | undefined, shown: Shown): CodexQuestion {
  const { title, offers } = shown;
  const command = asNonEmptyString(params['command']);
  const cwd = asNonEmptyString(params['cwd']);
  // The request's own command: one call may ask for each of its parts.
  const ownArguments = command === undefined ? undefined : { command: commandText(command), ...present({ cwd }) };
  const callId = call?.callId ?? asNonEmptyString(params['itemId']);
  const request: PermissionRequest = {
    ...place,
    kind: 'tool',
    title,
    options: offers.map(shownOption),
    toolName: call?.toolName ?? 'exec_command',
    toolArguments: shown.toolArguments ?? ownArguments ?? call?.toolArguments ?? {},
    ...present({
      callId,
      description: descriptionOf(params),
      diffs: call?.diffs && [...call.diffs],
    }),
  };
  return asked(request, offers, callId);
}

function asked(request: PermissionRequest, offers: readonly Offer[], callId: string | undefined): CodexQuestion {
  const last = offers.at(-1)?.reply;
  return {
    request,
    withdrawn: last,
    reply: ({ optionId }) => (offers.find((offer) => offer.optionId === optionId) ?? { reply: last }).reply,
    ...present({ callId }),
  };
}

function shownOption(offer: Offer): PermissionOption {
  const { reply: _, ...option } = offer;
  return option;
}

function commandTitle(params: Loose, call: NativeCall | undefined): string {
  const command = asNonEmptyString(params['command']);
  return command === undefined ? (call?.title ?? 'Run a command') : commandText(command);
}

/** Everything that allowing it grants. */
function descriptionOf(params: Loose): string | undefined {
  const { host, protocol } = asRecord(params['networkApprovalContext']);
  const extra = params['additionalPermissions'];
  const parts = [
    asNonEmptyString(params['reason']),
    asNonEmptyString(host) && `Network access to ${asNonEmptyString(protocol) ?? 'any protocol'}://${String(host)}`,
    isRecord(extra) && Object.keys(extra).length > 0 && `Also grants ${JSON.stringify(extra)}`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** The open call that a tool server asks about, if there is only one it can be: it shows what the user allows. */
function callOfTool(params: Loose, open: readonly NativeCall[]): NativeCall | undefined {
  const prefix = `mcp__${asNonEmptyString(params['serverName']) ?? ''}__`;
  const wanted = asRecord(params['_meta'])['tool_params'];
  const fitting = open.filter(
    ({ toolName, toolArguments }) =>
      toolName.startsWith(prefix) && (!isRecord(wanted) || isDeepStrictEqual(toolArguments ?? {}, wanted)),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Codex's options for a command, in its order, plus continuing without it, which Codex accepts but never offers. */
function commandOffers(params: Loose): readonly Offer[] {
  const offered = Array.isArray(params['availableDecisions']) ? params['availableDecisions'] : ['accept', 'cancel'];
  const allowing = offered.flatMap((decision: unknown) => allowingOffer(decision));
  const first = allowing.some(({ kind }) => kind === 'allow_once') ? [] : [{ ...allow, reply: { decision: 'accept' } }];
  return [
    ...first,
    ...allowing,
    { ...decline, reply: { decision: 'decline' } },
    { ...cancel, reply: { decision: 'cancel' } },
  ];
}

function allowingOffer(decision: unknown): readonly Offer[] {
  if (decision === 'accept') return [{ ...allow, reply: { decision } }];
  if (decision === 'acceptForSession') {
    const name = "Yes, and don't ask again for this command";
    return [{ optionId: 'allow_for_session', name, ...forSession, reply: { decision } }];
  }
  if (!isRecord(decision)) return [];
  const prefix = asTexts(asRecord(decision['acceptWithExecpolicyAmendment'])['execpolicy_amendment']);
  if (prefix.length > 0) {
    return [
      {
        optionId: 'accept_execpolicy_amendment',
        name: `Yes, and don't ask again for commands that start with \`${prefix.join(' ')}\``,
        kind: 'allow_always',
        description: "Applies to every project. Stored in Codex's rules/default.rules.",
        reply: { decision },
      },
    ];
  }
  const network = asRecord(asRecord(decision['applyNetworkPolicyAmendment'])['network_policy_amendment']);
  const host = asNonEmptyString(network['host']);
  if (host === undefined || network['action'] !== 'allow') return [];
  const name = `Yes, and don't ask again for ${host}`;
  return [{ optionId: `allow_host:${host}`, name, ...forSession, reply: { decision } }];
}

const fileOffers = (): readonly Offer[] => [
  { ...allow, reply: { decision: 'accept' } },
  {
    optionId: 'allow_for_session',
    name: "Yes, and don't ask again for these files",
    ...forSession,
    reply: { decision: 'acceptForSession' },
  },
  { ...decline, reply: { decision: 'decline' } },
  { ...cancel, reply: { decision: 'cancel' } },
];

const permissionOffers = (permissions: unknown): readonly Offer[] => [
  { ...allow, name: 'Yes, for this turn', reply: { permissions, scope: 'turn' } },
  {
    optionId: 'allow_for_session',
    name: 'Yes, for this session',
    ...forSession,
    reply: { permissions, scope: 'session' },
  },
  { ...decline, reply: { permissions: {}, scope: 'turn' } },
];

/** A tool server asks whether one of its tools may run, or shows a form. */
function elicitation(params: Loose, place: QuestionPlace, call: NativeCall | undefined): CodexQuestion | null {
  const meta = asRecord(params['_meta']);
  if (meta['codex_approval_kind'] !== 'mcp_tool_call') {
    const form = formQuestion({ ...params, mode: params['mode'] === 'form' ? 'form' : '' }, place);
    return form && { ...form, reply: (answer) => ({ content: null, _meta: null, ...asRecord(form.reply(answer)) }) };
  }
  const kept = new Set([meta['persist']].flat());
  const reply = (action: string, persist?: string): unknown => ({
    action,
    content: null,
    _meta: persist === undefined ? null : { persist },
  });
  const offers: Offer[] = [{ ...allow, name: 'Allow', reply: reply('accept') }];
  if (kept.has('session')) {
    const name = 'Allow for this session';
    offers.push({ optionId: 'allow_session', name, ...forSession, reply: reply('accept', 'session') });
  }
  if (kept.has('always')) {
    offers.push({
      optionId: 'allow_always',
      name: 'Always allow',
      kind: 'allow_always',
      description: 'Applies to every later session. Stored in the config.toml that configures this server.',
      reply: reply('accept', 'always'),
    });
  }
  offers.push({ ...decline, reply: reply('decline') }, { ...cancel, name: 'Cancel', reply: reply('cancel') });
  const reported = Object.fromEntries(
    asRecords(meta['tool_params_display']).map((row) => [String(row['name']), row['value']]),
  );
  const request: PermissionRequest = {
    ...place,
    kind: 'tool',
    title: call?.title ?? asNonEmptyString(params['message']) ?? 'Run a tool',
    options: offers.map(shownOption),
    toolName: call?.toolName ?? asNonEmptyString(params['serverName']) ?? 'tool',
    toolArguments: call?.toolArguments ?? (isRecord(meta['tool_params']) ? meta['tool_params'] : reported),
    ...present({ callId: call?.callId, description: asNonEmptyString(meta['tool_description']) }),
  };
  return asked(request, offers, call?.callId);
}
