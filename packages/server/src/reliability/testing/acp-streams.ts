import { listRecordings, readRecording } from '@liminal/stand-ins/recordings';
import { asRecord } from '../../providers/kit/read-json.ts';
import { type RecordedLine, replayRecording } from '../../providers/acp/recording/replay-recording.ts';
import { disturb, mutate, wordsOf } from './mutate.ts';
import type { Random } from './random.ts';
import { problemsOf, type StreamVerdict } from './stream-verdict.ts';

const recordings: readonly (readonly RecordedLine[])[] = [
  ...listRecordings('codex').map((name) => readRecording(name)),
  ...listRecordings('other-agents').map((name) => readRecording(name)),
];
const methodOf = ({ msg }: RecordedLine): unknown => asRecord(msg)['method'];
const isAgents = ({ dir }: RecordedLine): boolean => dir === 'agent->client';
const isUpdate = (line: RecordedLine): boolean => isAgents(line) && methodOf(line) !== undefined;
const updates = recordings.flat().filter(isUpdate);
const words = wordsOf(updates.map(({ msg }) => msg));

/** One run of an ACP agent where many messages are wrong, late, duplicated or missing. */
export function runAcpStream(random: Random): StreamVerdict {
  const script = random.chance(0.3) ? madeUp(random) : random.pick(recordings);
  const [share, lines] = [random.pick([0.1, 0.4, 0.8]), [] as RecordedLine[]];
  let [mutated, count, ms] = [0, 0, 0];
  /** The next prompt is sent only after the previous one was answered. */
  let unanswered: unknown;
  const own = disturb(random, script.filter(isUpdate), updates);
  for (const line of script) {
    ms += random.below(80);
    if (line.dir === 'exit') break;
    if (!isUpdate(line)) {
      const { id } = asRecord(line.msg);
      if (line.dir === 'client->agent' && methodOf(line) === 'session/prompt') {
        if (unanswered !== undefined)
          lines.push({ ms, dir: 'agent->client', msg: { id: unanswered, result: { stopReason: 'x' } } });
        unanswered = id;
      } else if (isAgents(line) && id === unanswered) unanswered = undefined;
      const isWrong = isAgents(line) && random.chance(share / 2);
      if (isWrong) mutated += 1;
      lines.push({ dir: line.dir, ms, msg: isWrong ? { ...asRecord(mutate(random, line.msg, words)), id } : line.msg });
      continue;
    }
    const next = own.shift();
    if (!next) continue;
    count += 1;
    const isWrong = random.chance(share);
    if (isWrong || next.moved) mutated += 1;
    lines.push({ ms, dir: 'agent->client', msg: isWrong ? mutateInside(random, next.event.msg) : next.event.msg });
  }
  lines.push({ ms: ms + 1, dir: 'exit', msg: {} });
  return { mutated, messages: count, problems: problemsOf(replayRecording(lines)) };
}

/** Envelope and session stay intact, because errors there never reach a translator. */
function mutateInside(random: Random, message: unknown): unknown {
  const { params, ...envelope } = asRecord(message);
  const { sessionId, ...inside } = asRecord(params);
  return { ...envelope, params: { ...asRecord(mutate(random, inside, words)), sessionId } };
}

/** Made-up updates of every kind, in any order. */
function madeUp(random: Random): RecordedLine[] {
  const lines: RecordedLine[] = [];
  const say = (dir: string, msg: object): void => void lines.push({ ms: lines.length, dir, msg });
  const sessionId = 'made-up';
  for (let turn = 0; turn < 1 + random.below(4); turn += 1) {
    say('client->agent', { id: turn, method: 'session/prompt', params: { sessionId } });
    for (let part = 0; part < random.below(40); part += 1) {
      say('agent->client', { method: 'session/update', params: { sessionId, update: anyUpdate(random) } });
    }
    if (random.chance(0.1)) say('client->agent', { method: 'session/cancel', params: { sessionId } });
    say('agent->client', {
      id: turn,
      result: { stopReason: random.pick(['end_turn', 'cancelled', 'refusal', 'max_tokens']) },
    });
  }
  return lines;
}

function anyUpdate(random: Random): object {
  const text = { type: 'text', text: random.pick(['word ', '', '😀', '\ud83d', '\n', '# x']) };
  const toolCallId = `call-${random.below(5)}`;
  const status = random.pick(['pending', 'in_progress', 'completed', 'failed', undefined]);
  const content = random.pick<unknown>([
    undefined,
    [{ type: 'content', content: text }],
    [{ type: 'diff', path: '/a', oldText: null, newText: 'b' }],
    [{ type: 'terminal', terminalId: 't' }],
  ]);
  switch (random.below(8)) {
    case 0:
    case 1:
      return { sessionUpdate: 'agent_message_chunk', content: text, messageId: random.pick(['m1', 'm2', undefined]) };
    case 2:
      return { sessionUpdate: 'agent_thought_chunk', content: text };
    case 3:
      return {
        sessionUpdate: 'tool_call',
        toolCallId,
        title: 'x',
        kind: random.pick(['edit', 'execute', 'x']),
        status,
        content,
      };
    case 4:
    case 5:
      return {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status,
        content,
        rawOutput: random.pick<unknown>([undefined, {}, 'x']),
      };
    case 6:
      return {
        sessionUpdate: 'plan',
        entries: [{ content: 'x', status: random.pick(['pending', 'completed']), priority: 'low' }],
      };
    default:
      return {
        sessionUpdate: random.pick(words.get('sessionUpdate') ?? ['x']),
        used: 1,
        size: 2,
        title: 'x',
        currentModeId: 'x',
      };
  }
}
