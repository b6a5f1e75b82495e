import { TurnRecord, UpsertObject } from '@liminal/contracts';
import { listRecordings, readHistory, readRecording } from '@liminal/stand-ins/recordings';
import { asRecord } from '../../providers/kit/read-json.ts';
import { historyOfRows } from '../../providers/claude/record/history.ts';
import { factOf } from '../../providers/claude/recording/replay-recording.ts';
import { say } from '../../providers/claude/testing/native-messages.ts';
import { type ClaudeFact, createClaudeTranslator } from '../../providers/claude/translate/translate.ts';
import { disturb, mutate, wordsOf } from './mutate.ts';
import type { Random } from './random.ts';
import { createJudge, type StreamVerdict } from './stream-verdict.ts';

const recordings: readonly (readonly ClaudeFact[])[] = listRecordings('claude').map((name) => {
  const opened: string[] = [];
  return readRecording(name).flatMap((line) => factOf(asRecord(line), opened) ?? []);
});
const messages = recordings.flat().filter((fact) => fact.kind === 'said');
const history = readHistory('claude/history-of-tool-allowed.jsonl');
const wordsOfHistory = wordsOf(history);
const words = wordsOf(messages.map(({ message }) => message));

/** One session of Claude Code where many messages are wrong, late, duplicated or missing. */
export function runClaudeStream(random: Random): StreamVerdict {
  const script = random.chance(0.3) ? madeUp(random) : random.pick(recordings);
  let [mutated, count, turns, at] = [0, 0, 0, Date.UTC(2026, 0, 1)];
  const translator = createClaudeTranslator({ sessionId: 's', newTurnId: () => `agent-${(turns += 1)}` });
  const judge = createJudge();
  const take = ({ emissions, signals }: ReturnType<typeof translator.translate>): void => {
    judge.read(emissions);
    for (const signal of signals) if (signal.kind === 'info') judge.info(signal.info);
  };
  const share = random.pick([0.1, 0.4, 0.8]);
  for (const { event, moved } of disturb(random, script, messages)) {
    // Our own messages stay correct: each once, in order.
    if (event.kind !== 'said' && moved) continue;
    at += random.below(120);
    const isWrong = event.kind === 'said' && random.chance(share);
    const fact = isWrong ? { kind: 'said' as const, message: mutate(random, event.message, words) } : event;
    if (event.kind === 'said') count += 1;
    if (isWrong || moved) mutated += 1;
    const due = translator.nextDue();
    if (due !== null && due <= at) take(translator.tick(at));
    take(translator.translate(fact, at));
  }
  take(translator.translate({ kind: 'stream-ended', reason: 'the end' }, at + 1));
  return { mutated, messages: count, problems: judge.finish() };
}

/** The agent's own record of a session, as read after a start, with many wrong rows. */
export function runClaudeHistory(random: Random): StreamVerdict {
  const share = random.pick([0.1, 0.4, 0.8]);
  let mutated = 0;
  const rows = disturb(random, history, history).map(({ event, moved }) => {
    const isWrong = random.chance(share);
    if (isWrong || moved) mutated += 1;
    return isWrong ? asRecord(mutate(random, event, wordsOfHistory)) : event;
  });
  const { entries, turns } = historyOfRows('s', rows);
  const problems = [
    ...entries
      .filter(({ upsert }) => !UpsertObject.safeParse(upsert).success)
      .map(({ upsert }) => JSON.stringify(upsert)),
    ...turns.filter((turn) => !TurnRecord.safeParse(turn).success).map((turn) => JSON.stringify(turn)),
  ];
  return { mutated, messages: rows.length, problems };
}

/** Made-up turns: any block after any other, calls without results, results without calls. */
function madeUp(random: Random): ClaudeFact[] {
  const facts: ClaudeFact[] = [];
  const emit = (message: unknown): void => void facts.push({ kind: 'said', message });
  const name = (): string => `toolu_${random.below(6)}`;
  for (let turn = 0; turn < 1 + random.below(4); turn += 1) {
    const uuid = `turn-${turn}`;
    facts.push({ kind: 'sent', uuid, turnId: uuid });
    emit(say.init(random.chance(0.7) ? [uuid] : undefined));
    for (let part = 0; part < random.below(6); part += 1) {
      const [id, index] = [`msg-${turn}-${random.below(4)}`, random.below(3)];
      const parent = random.chance(0.2) ? { parent_tool_use_id: name() } : {};
      emit(say.start(id, parent));
      const block = random.pick([
        { type: 'text', text: '' },
        { type: 'thinking', thinking: '' },
        { type: 'tool_use', id: name(), name: random.pick(['Bash', 'Edit', 'TodoWrite', 'Task', 'x']), input: {} },
        { type: 'redacted_thinking', data: 'x' },
      ]);
      emit(say.open(index, block));
      for (let piece = 0; piece < random.below(8); piece += 1) {
        emit(random.pick([say.text, say.thought, say.json])(index, random.pick(['word ', '{"a":', '"b"}', '😀', ''])));
      }
      if (random.chance(0.8)) emit(say.close(index));
      if (random.chance(0.6)) emit(say.whole(id, { ...block, text: 'word ' }, parent));
      if (random.chance(0.7)) emit(say.delta(random.pick(['end_turn', 'tool_use', 'max_tokens', 'refusal', null])));
      if (random.chance(0.7)) emit(say.stop(random.chance(0.1) ? index : undefined));
      if (random.chance(0.5))
        emit(say.toolResult(name(), random.pick<unknown>(['out', [{ type: 'text', text: 'out' }], null])));
      if (random.chance(0.1)) facts.push({ kind: 'interrupted' });
      if (random.chance(0.2))
        emit(say.system(random.pick(words.get('subtype') ?? ['x']), { task_id: 't', status: 'running' }));
    }
    if (random.chance(0.9))
      emit(say.result({ subtype: random.pick(['success', 'error_during_execution']), is_error: random.chance(0.2) }));
  }
  return facts;
}
