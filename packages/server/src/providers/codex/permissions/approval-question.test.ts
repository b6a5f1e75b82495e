import { PermissionRequest } from '@liminal/contracts';
import { describe, expect, test } from 'vitest';
import type { NativeCall } from '../translate/native-items.ts';
import { codexQuestion, type CodexQuestion } from './approval-question.ts';

const place = { requestId: 'r', turnId: 't', openedAt: '2026-01-01T00:00:00.000Z' };
const call: NativeCall = {
  callId: 'c',
  toolName: 'mcp__notes__add',
  kind: 'other',
  state: 'running',
  title: 'notes add',
  toolArguments: { text: 'milk' },
};
const ask = (method: string, params: object, open: readonly NativeCall[] = [call]): CodexQuestion => {
  const question = codexQuestion({ method, params: { ...params } }, place, { find: () => undefined, open });
  if (!question) throw new Error('nothing was asked');
  PermissionRequest.parse(question.request);
  return question;
};
const replies = ({ request, reply }: CodexQuestion): Record<string, unknown> =>
  Object.fromEntries(request.options.map(({ optionId }) => [optionId, reply({ requestId: 'r', optionId })]));

describe("the user's options, and Codex's reply for each", () => {
  test('CX-1: a command can be allowed once or by its prefix, declined, or declined with a stop', () => {
    const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch', 'x'] } };
    const question = ask('item/commandExecution/requestApproval', {
      itemId: 'i',
      command: "/bin/bash -lc 'touch x'",
      reason: 'because',
      availableDecisions: ['accept', amendment, 'cancel'],
    });
    expect(question.request).toMatchObject({ title: 'touch x', description: 'because', callId: 'i' });
    expect(replies(question)).toEqual({
      allow_once: { decision: 'accept' },
      accept_execpolicy_amendment: { decision: amendment },
      decline: { decision: 'decline' },
      cancel: { decision: 'cancel' },
    });
    expect(question.withdrawn).toEqual({ decision: 'cancel' });
  });

  test('a request without known options can still be allowed once and refused', () => {
    for (const availableDecisions of [undefined, [], ['someday'], [{ other: 1 }]])
      expect(Object.keys(replies(ask('item/commandExecution/requestApproval', { availableDecisions })))).toEqual([
        'allow_once',
        'decline',
        'cancel',
      ]);
  });

  test('CX-1: a patch and a request for more rights have their own options', () => {
    expect(replies(ask('item/fileChange/requestApproval', { itemId: 'i' }))).toEqual({
      allow_once: { decision: 'accept' },
      allow_for_session: { decision: 'acceptForSession' },
      decline: { decision: 'decline' },
      cancel: { decision: 'cancel' },
    });
    const permissions = { network: { enabled: true } };
    expect(replies(ask('item/permissions/requestApproval', { permissions }))).toEqual({
      allow_once: { permissions, scope: 'turn' },
      allow_for_session: { permissions, scope: 'session' },
      decline: { permissions: {}, scope: 'turn' },
    });
  });

  test('CX-1: a server’s tool can be allowed permanently if the server permits it', () => {
    const _meta = { codex_approval_kind: 'mcp_tool_call', persist: ['session'], tool_params: { text: 'milk' } };
    const question = ask('mcpServer/elicitation/request', { serverName: 'notes', mode: 'form', _meta });
    expect(question.request).toMatchObject({ title: 'notes add', callId: 'c', toolArguments: { text: 'milk' } });
    expect(replies(question)).toEqual({
      allow_once: { action: 'accept', content: null, _meta: null },
      allow_session: { action: 'accept', content: null, _meta: { persist: 'session' } },
      decline: { action: 'decline', content: null, _meta: null },
      cancel: { action: 'cancel', content: null, _meta: null },
    });
    const always = { ..._meta, persist: 'always' };
    expect(replies(ask('mcpServer/elicitation/request', { mode: 'form', _meta: always }))).toMatchObject({
      allow_always: { action: 'accept', content: null, _meta: { persist: 'always' } },
    });
  });

  test('CX-1: a server’s question is shown with its own arguments unless exactly one open call has these', () => {
    const _meta = { codex_approval_kind: 'mcp_tool_call', tool_params: { text: 'bread' } };
    const params = { serverName: 'notes', message: 'Run remove?', mode: 'form', _meta };
    const other = { ...call, callId: 'd', toolName: 'mcp__notes__remove', toolArguments: { text: 'bread' } };
    const shown = (open: readonly NativeCall[]) => ask('mcpServer/elicitation/request', params, open).request;
    expect(shown([other, call])).toMatchObject({ callId: 'd', toolArguments: { text: 'bread' } });
    for (const open of [[call], [other, { ...other, callId: 'e' }]]) {
      expect(shown(open)).toMatchObject({ title: 'Run remove?', toolArguments: { text: 'bread' } });
      expect(shown(open)).not.toHaveProperty('callId');
    }
  });

  test('CX-1: a command is shown as the request has it, with everything else it would be granted', () => {
    const whole = { ...call, title: 'make all', toolArguments: { command: 'make all' } };
    const question = codexQuestion(
      {
        method: 'item/commandExecution/requestApproval',
        params: {
          itemId: 'c',
          command: 'curl https://example.org',
          reason: 'To download it',
          networkApprovalContext: { host: 'example.org', protocol: 'https' },
          additionalPermissions: { fileSystem: { write: ['/etc'] } },
        },
      },
      place,
      { find: () => whole, open: [whole] },
    );
    expect(question?.request).toMatchObject({
      title: 'curl https://example.org',
      toolArguments: { command: 'curl https://example.org' },
      description:
        'To download it\n\nNetwork access to https://example.org\n\nAlso grants {"fileSystem":{"write":["/etc"]}}',
    });
  });

  test('CX-1: a question accepts an offered answer as it is and marks a free-text one', () => {
    const { request, reply, withdrawn } = ask('item/tool/requestUserInput', {
      questions: [{ id: 'q', question: 'Which?', isOther: true, options: [{ label: 'Red' }, { label: 'Blue' }] }],
    });
    expect(request.questions).toMatchObject([
      { id: 'q', freeText: true, options: [{ label: 'Red' }, { label: 'Blue' }] },
    ]);
    const answer = (label: string) => reply({ requestId: 'r', optionId: 'accept', answers: { q: [label] } });
    expect(answer('Blue')).toEqual({ answers: { q: { answers: ['Blue'] } } });
    expect(answer('Green')).toEqual({ answers: { q: { answers: ['user_note: Green'] } } });
    expect([withdrawn, reply({ requestId: 'r', optionId: 'decline' })]).toEqual([{ answers: {} }, { answers: {} }]);
  });

  test('asks nothing this version can’t show', () => {
    const none = (method: string, params: object) =>
      codexQuestion({ method, params: { ...params } }, place, { find: () => undefined, open: [] });
    expect(none('attestation/generate', {})).toBeNull();
    expect(none('item/tool/requestUserInput', { questions: [] })).toBeNull();
    expect(none('mcpServer/elicitation/request', { mode: 'url', url: 'https://example.org' })).toBeNull();
  });
});
