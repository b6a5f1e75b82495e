import { listRecordings, readRecording } from '@liminal/stand-ins/recordings';
import type { RecordedLine } from '../../providers/acp/recording/replay-recording.ts';
import { replayRecording } from '../../providers/codex/recording/replay-recording.ts';
import { asRecord } from '../../providers/kit/read-json.ts';
import { disturb, mutate, wordsOf } from './mutate.ts';
import type { Random } from './random.ts';
import { problemsOf, type StreamVerdict } from './stream-verdict.ts';

const recordings: readonly (readonly RecordedLine[])[] = listRecordings('codex-app-server').map((name) =>
  readRecording(name),
);
const isFromAgent = ({ dir, msg }: RecordedLine): boolean =>
  dir === 'agent->client' && asRecord(msg)['method'] !== undefined;
const messages = recordings.flat().filter(isFromAgent);
const words = wordsOf(messages.map(({ msg }) => msg));

/** One run of `codex app-server` where many messages are wrong, late, duplicated or missing. */
export function runCodexStream(random: Random): StreamVerdict {
  const script = random.pick(recordings);
  const [share, lines] = [random.pick([0.1, 0.4, 0.8]), [] as RecordedLine[]];
  let [mutated, count, ms] = [0, 0, 0];
  const own = disturb(random, script.filter(isFromAgent), messages);
  for (const line of script) {
    ms += random.below(80);
    if (line.dir === 'exit') break;
    if (!isFromAgent(line)) {
      // Our own messages stay correct. Replies to them may be wrong, but keep their id.
      const isWrong = line.dir === 'agent->client' && random.chance(share / 2);
      if (isWrong) mutated += 1;
      const { id, ...answer } = asRecord(line.msg);
      lines.push({ ...line, ms, msg: isWrong ? { ...asRecord(mutate(random, answer, words)), id } : line.msg });
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

/** The envelope stays intact, because errors there never reach a translator. */
function mutateInside(random: Random, message: unknown): unknown {
  const { params, ...envelope } = asRecord(message);
  return { ...envelope, params: asRecord(mutate(random, params, words)) };
}
