import { parseScript, splitWords } from './script.ts';
import type { Step } from './steps.ts';

/** The conversation so far, as a request describes it, in order and independent of the wire format. */
export type ConversationEvent =
  | { readonly kind: 'heard'; readonly text: string }
  | { readonly kind: 'said' }
  | { readonly kind: 'result'; readonly callId: string; readonly output: string };

/** The state of the conversation: which model call of the running script this is, and what to do in it. */
export interface Scene {
  /** The prompt's place in the conversation: the same for every retry, different when the prompt is sent again. */
  readonly at: number;
  readonly prompt: string;
  readonly round: number;
  readonly steps: readonly Step[];
}

/** A call's id carries its round and comes back with its result, so the server keeps no state. */
export const callId = (round: number, index: number, unique: string): string => `call_r${round}x${index}_${unique}`;

const roundOf = (id: string): number | undefined => {
  const found = /_r(\d+)x\d+/.exec(id);
  return found ? Number(found[1]) : undefined;
};

/** Finds the scene by the newest real prompt and the tool results since. Pure: resume, load and fork just work. */
export function findScene(events: readonly ConversationEvent[]): Scene {
  let at = -1;
  let prompt = '';
  let round = 0;
  let output = '';
  let previous: ConversationEvent['kind'] | undefined;
  for (const [index, event] of events.entries()) {
    switch (event.kind) {
      case 'said':
        break;
      case 'result': {
        const marked = roundOf(event.callId);
        if (marked !== undefined) round = Math.max(round, marked + 1);
        else if (previous !== 'result') round += 1;
        output = event.output;
        break;
      }
      case 'heard': {
        const { sort, text } = sortOut(event.text);
        if (sort === 'continuation') round += 1;
        // A wake-up beside tool results only informs a turn that is still running: its script continues.
        if (sort === 'prompt' || (sort === 'wake-up' && !besideResults(events, index))) {
          at = index;
          prompt = text;
          round = 0;
          output = '';
        }
        break;
      }
    }
    previous = event.kind;
  }
  return { at, prompt, round, steps: stepsFor(prompt, round, output) };
}

function stepsFor(prompt: string, round: number, output: string): readonly Step[] {
  if (isWakeUp(prompt)) return [say('Noted: the background task is over.')];
  const script = parseScript(prompt) ?? [[say(`You said: ${prompt}`)]];
  const steps = script[round];
  if (!steps) return [say(`Done. ${shorten(output)}`.trim())];
  return steps.every((step) => step.kind === 'usage') ? [...steps, say('Done.')] : steps;
}

function besideResults(events: readonly ConversationEvent[], index: number): boolean {
  const end = events.findIndex((event, at) => at > index && event.kind === 'said');
  const start = events.findLastIndex((event, at) => at < index && event.kind === 'said');
  return events.slice(start + 1, end < 0 ? undefined : end).some((event) => event.kind === 'result');
}

/** A step that says this text, at the server's default pace. */
export const say = (text: string): Step => ({ kind: 'say', voice: 'text', pieces: splitWords(text) });

const isWakeUp = (text: string): boolean => text.startsWith('<task-notification>');
const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 160);

// Agents add messages of their own in the user role; answering those would interrupt the script.
const bookkeeping =
  /^(<[a-zA-Z][\w-]*[\s>]|# AGENTS\.md|\[Request interrupted|Your response above was cut off|This is the Gemini CLI|My setup is complete)/;
const continuation = /^Output token limit hit\./;

interface Heard {
  readonly sort: 'nothing' | 'wake-up' | 'continuation' | 'prompt';
  readonly text: string;
}

function sortOut(heard: string): Heard {
  const text = heard.replace(/<system-reminder>[\s\S]*?(<\/system-reminder>|$)/g, '').trim();
  // Claude Code wraps its wake-ups in a reminder, the only kind of reminder that needs an answer.
  const [wakeUp] = /<task-notification>[\s\S]*/.exec(text || heard) ?? [];
  if (wakeUp && (!text || isWakeUp(text))) return { sort: 'wake-up', text: wakeUp };
  if (continuation.test(text)) return { sort: 'continuation', text };
  const ours = text !== '' && (!bookkeeping.test(text) || parseScript(text) !== undefined);
  return { sort: ours ? 'prompt' : 'nothing', text };
}
