import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  type AgentContext,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk/unstable';
import { chooseScene } from './scenes.ts';
import { choose, commands, configOptions, type DemoSession } from './demo-session.ts';
import { createPace } from './pace.ts';
import { performScene, SceneFailed, type Stage } from './perform-scene.ts';
import { openScratch } from './scratch.ts';

/**
 * A scripted agent that speaks real ACP over stdio, for trying the workbench without an account. It calls no model. In the
 * scratch project it really edits files and runs the tests; everywhere else it touches no file and runs nothing. It keeps
 * no record, so an earlier session opens empty and continues.
 */
const sessions = new Map<string, DemoSession>();
const prefix = 'demo-';
/** Multiplies its natural pace; tests speed it up. */
const speed = Math.max(0.01, Number(process.env['LIMINAL_DEMO_SPEED'] ?? 1) || 1);
const contextSize = 100_000;
const demoFolder = process.env['LIMINAL_DEMO_FOLDER'];

function open(sessionId: string, cwd: string, client: AgentContext): { configOptions: never } {
  const session: DemoSession = { cwd, choices: { mode: 'ask', model: 'demo-natural' }, words: 0 };
  sessions.set(sessionId, session);
  const update = { sessionUpdate: 'available_commands_update' as const, availableCommands: commands };
  // After the answer, as real agents do.
  setTimeout(() => void client.notify(methods.client.session.update, { sessionId, update }), 0);
  return { configOptions: configOptions(session.choices) as never };
}

function find(sessionId: string): DemoSession {
  const session = sessions.get(sessionId);
  if (!session) throw RequestError.sessionNotFound(sessionId);
  return session;
}

function stageFor(sessionId: string, client: AgentContext, signal: AbortSignal): Stage {
  const waiting = { cancellationSignal: signal, stopWaitingOnCancel: true };
  return {
    update: (update) => client.notify(methods.client.session.update, { sessionId, update: update as never }),
    async askPermission(toolCall) {
      const offered = [
        { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' as const },
        { optionId: 'allow_always', name: 'Allow for this session', kind: 'allow_always' as const },
        { optionId: 'reject', name: 'Reject', kind: 'reject_once' as const },
      ];
      const request = { sessionId, toolCall, options: offered };
      const { outcome } = await client.request(methods.client.session.requestPermission, request as never, waiting);
      if (outcome.outcome !== 'selected') return null;
      if (outcome.optionId === 'allow_always') find(sessionId).choices.mode = 'auto';
      return outcome.optionId;
    },
    async askQuestion(question, choices) {
      const answer = {
        type: 'string' as const,
        title: question,
        oneOf: choices.map(({ label, description }) => ({ const: label, title: label, description })),
      };
      const requestedSchema = { type: 'object' as const, properties: { answer }, required: ['answer'] };
      const request = { sessionId, mode: 'form' as const, message: question, requestedSchema };
      const reply = await client.request(methods.client.elicitation.create, request as never, waiting);
      const content = 'content' in reply ? (reply.content as { answer?: unknown } | null) : null;
      return reply.action === 'accept' && typeof content?.answer === 'string' ? content.answer : null;
    },
  };
}

async function prompt(
  sessionId: string,
  text: string,
  client: AgentContext,
): Promise<{ stopReason: 'end_turn' | 'cancelled' }> {
  const session = find(sessionId);
  session.running?.abort();
  const running = new AbortController();
  session.running = running;
  const stage = stageFor(sessionId, client, running.signal);
  const scratch = openScratch(session.cwd, demoFolder);
  const counting: Stage = {
    ...stage,
    ...(scratch && { scratch }),
    update(update) {
      if (String(update['sessionUpdate']).endsWith('_chunk')) session.words += 1;
      return stage.update(update);
    },
  };
  const before = session.words;
  const pace = createPace(() => (session.choices.model === 'demo-quick' ? 5 : 1) * speed);
  const setting = {
    cwd: session.cwd,
    prompt: text,
    auto: session.choices.mode === 'auto',
    ...(scratch && { scratch }),
  };
  try {
    await performScene(chooseScene(text), setting, counting, pace, randomUUID, running.signal);
    await stage.update({
      sessionUpdate: 'usage_update',
      used: Math.min(contextSize, session.words),
      size: contextSize,
    });
    // Not a model's count, but it gives the page one to show.
    const usage = {
      inputTokens: text.split(/\s+/).length,
      outputTokens: session.words - before,
      totalTokens: session.words,
    };
    return { stopReason: 'end_turn', usage } as { stopReason: 'end_turn' };
  } catch (error) {
    if (running.signal.aborted) return { stopReason: 'cancelled' };
    if (error instanceof SceneFailed) throw RequestError.internalError({ details: error.message });
    throw error;
  } finally {
    if (session.running === running) delete session.running;
  }
}

agent({ name: 'liminal-demo' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'liminal-demo', title: 'Demo agent', version: '1.0.0' },
    agentCapabilities: { loadSession: true, promptCapabilities: {}, sessionCapabilities: { fork: {} } },
    authMethods: [],
  }))
  .onRequest(methods.agent.session.new, ({ params, client }) => {
    const sessionId = `${prefix}${randomUUID()}`;
    return { sessionId, ...open(sessionId, params.cwd, client) };
  })
  .onRequest(methods.agent.session.load, ({ params, client }) => {
    if (!params.sessionId.startsWith(prefix)) throw RequestError.sessionNotFound(params.sessionId);
    return open(params.sessionId, params.cwd, client);
  })
  // It remembers nothing of the conversation, so every copy is correct, wherever it ends.
  .onRequest(methods.agent.session.fork, ({ params, client }) => {
    if (!params.sessionId.startsWith(prefix)) throw RequestError.sessionNotFound(params.sessionId);
    const sessionId = `${prefix}${randomUUID()}`;
    return { sessionId, ...open(sessionId, params.cwd, client) };
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    const session = find(params.sessionId);
    if (!choose(session.choices, params.configId, params.value))
      throw RequestError.invalidParams(undefined, 'No such choice');
    return { configOptions: configOptions(session.choices) as never };
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) =>
    prompt(
      params.sessionId,
      params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
      client,
    ),
  )
  .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.running?.abort())
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  )
  .closed.then(
    () => process.exit(0),
    () => process.exit(1),
  );
