import { chunksOf, type Pace } from './pace.ts';
import type { DemoCall, Scene, Setting, Step } from './scene.ts';
import type { Scratch } from './scratch.ts';

/** The agent's side of the protocol, as a scene uses it. */
export type Stage = {
  update(update: Record<string, unknown>): Promise<void>;
  /** The chosen option id, or null. */
  askPermission(toolCall: Record<string, unknown>): Promise<string | null>;
  /** The chosen label, or null. */
  askQuestion(question: string, options: readonly { label: string; description: string }[]): Promise<string | null>;
  /** Only in the scratch project. */
  readonly scratch?: Scratch;
};

export class SceneFailed extends Error {
  override readonly name = 'SceneFailed';
}

const wordsPerSecond = 40;
const stepsPerSecond = 4;

/** Plays a scene to its end; rejects with the signal's reason when cancelled, at any point. */
export async function performScene(
  scene: Scene,
  setting: Setting,
  stage: Stage,
  pace: Pace,
  newId: () => string,
  signal: AbortSignal,
): Promise<void> {
  const ids = new Map<string, string>();
  const outputs = new Map<string, string>();
  let text: { readonly kind: string; readonly messageId: string } | undefined;

  const callId = (id: string): string => {
    const known = ids.get(id) ?? newId();
    ids.set(id, known);
    return known;
  };

  async function stream(kind: 'agent_message_chunk' | 'agent_thought_chunk', content: string): Promise<void> {
    if (text?.kind !== kind) text = { kind, messageId: newId() };
    const { messageId } = text;
    for (const chunk of chunksOf(content)) {
      await pace.beat(wordsPerSecond, signal);
      await stage.update({ sessionUpdate: kind, messageId, content: { type: 'text', text: chunk } });
    }
  }

  async function addOutput(id: string, line: string): Promise<void> {
    const output = `${outputs.get(id) ?? ''}${line}\n`;
    outputs.set(id, output);
    const content = [{ type: 'content', content: { type: 'text', text: output } }];
    await stage.update({ sessionUpdate: 'tool_call_update', toolCallId: callId(id), content });
  }

  async function play(step: Step): Promise<string | null> {
    if (step.do !== 'say' && step.do !== 'think') {
      text = undefined;
      await pace.beat(stepsPerSecond, signal);
    }
    switch (step.do) {
      case 'say':
        await stream('agent_message_chunk', step.text);
        return null;
      case 'think':
        await stream('agent_thought_chunk', step.text);
        return null;
      case 'plan':
        await stage.update({
          sessionUpdate: 'plan',
          entries: step.steps.map((entry) => ({ ...entry, priority: 'medium' })),
        });
        return null;
      case 'call':
        await stage.update({
          sessionUpdate: 'tool_call',
          status: 'in_progress',
          ...callFields(step.call, callId(step.call.id)),
        });
        return null;
      case 'output':
        await addOutput(step.id, step.line);
        return null;
      case 'finish':
        await stage.update({
          sessionUpdate: 'tool_call_update',
          toolCallId: callId(step.id),
          status: step.failed ? 'failed' : 'completed',
        });
        return null;
      case 'ask':
        return stage.askPermission({ status: 'pending', ...callFields(step.call, callId(step.call.id)) });
      case 'question':
        return stage.askQuestion(step.question, step.options);
      case 'write':
        stage.scratch?.write(step.path, step.text);
        return null;
      case 'test': {
        const ran = await stage.scratch?.runTests(signal);
        for (const line of ran?.lines ?? []) await addOutput(step.id, line);
        return ran?.failed === true ? 'failed' : null;
      }
      case 'fail':
        throw new SceneFailed(step.message);
    }
  }

  const steps = scene(setting);
  let answer: string | null = null;
  for (;;) {
    const next = steps.next(answer);
    if (next.done) return;
    signal.throwIfAborted();
    answer = await play(next.value);
    signal.throwIfAborted();
  }
}

function callFields(call: DemoCall, toolCallId: string): Record<string, unknown> {
  return {
    toolCallId,
    name: call.name,
    title: call.title,
    kind: call.kind,
    rawInput: call.input,
    ...(call.locations && { locations: call.locations }),
    ...(call.diff && { content: [{ type: 'diff', ...call.diff }] }),
  };
}
