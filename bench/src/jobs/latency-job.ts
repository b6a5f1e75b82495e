import { setTimeout as wait } from 'node:timers/promises';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { openBareSockets } from './bare-sockets.ts';
import { messageOf, type OpenTurn, openTurns } from './open-turns.ts';
import { nowNs, type Side, stamp } from './stamp.ts';

export type Beats = {
  readonly everyMs: number;
  readonly rounds: number;
  readonly beatsPerRound: number;
  /** Earlier rounds warm up. */
  readonly firstRound: number;
  /** Counts from when a beat was due: if a busy server handles it late, it is late for its reader too. */
  readonly fromDue?: boolean;
};
export type Beaten = { readonly seconds: number; readonly cpuSeconds: number };

/** About ten words: what a model at 200 words per second writes in the 50 ms the server batches. */
const words = ' and then the next few words of the answer come along here';
const updatesPerItem = 200;

/** One agent that writes; each word goes out through us or straight to the bare sockets. */
function createSpeaker(
  host: BenchHost,
  turn: OpenTurn,
  /** The length of its one text before the measurement; otherwise texts have the length of a long paragraph. */
  textBytes: number | undefined,
  bare: () => readonly { send(frame: string): void }[],
) {
  let item = 0;
  let content = '';
  let updates = 0;
  const say = (text: string, begins: boolean) => {
    const itemId = `${turn.turnId}:1:${item}`;
    const from = content.length;
    content += text;
    const upsert = messageOf(turn, itemId, content, begins ? 'create' : 'update');
    if (begins) host.provider.upsert(turn.sessionId, upsert);
    else host.provider.upsert(turn.sessionId, upsert, { appendedFrom: from, text });
  };
  const bareHead = `{"type":"session:append","sessionId":"${turn.sessionId}","epoch":"AbCdEfGh","seq":`;
  return (side: Side, round: number, ns?: number) => {
    updates += 1;
    if (side === 'bare') {
      const place = `,"payload":{"itemId":"${turn.turnId}:1:${item}","offset":${content.length},"text":"`;
      const frame = `${bareHead}${updates}${place}${stamp(side, round)}${words}"}}`;
      for (const socket of bare()) socket.send(frame);
      return;
    }
    // Items of the length of a long paragraph, so the delayed writes are typical.
    if (textBytes === undefined ? updates % updatesPerItem === 1 : updates === 1) {
      item += 1;
      content = '';
      say(`…${'x'.repeat(textBytes ?? 0)}`, true);
    }
    say(stamp(side, round, ns) + words, false);
  };
}

export async function run(host: BenchHost): Promise<void> {
  const sockets = await openBareSockets();
  let speakers: ReturnType<typeof createSpeaker>[] = [];
  await answerQuestions({
    async open({ sessions, textBytes }: { sessions: number; textBytes?: number }) {
      const turns = await openTurns(host, sessions);
      speakers = turns.map((turn) => createSpeaker(host, turn, textBytes, () => sockets.at(`/${turn.sessionId}`)));
      return {
        port: host.port,
        barePort: sockets.port,
        token: host.token,
        sessionIds: turns.map((turn) => turn.sessionId),
      };
    },
    /** Each round alternates beats of both sides, so other load on the machine affects both equally. */
    async beat({ everyMs, rounds, beatsPerRound, firstRound, fromDue = false }: Beats): Promise<Beaten> {
      const cpu = process.cpuUsage();
      const beganNs = nowNs();
      const step = everyMs / speakers.length;
      const total = rounds * beatsPerRound * speakers.length;
      const began = performance.now();
      for (let beat = 0; beat < total;) {
        const due = Math.min(total, Math.floor((performance.now() - began) / step) + 1);
        for (; beat < due; beat += 1) {
          const lap = Math.floor(beat / speakers.length);
          const round = firstRound + Math.floor(lap / beatsPerRound);
          const speak = speakers[beat % speakers.length];
          if (fromDue) speak?.('ours', round, beganNs + Math.round(beat * step * 1e6));
          else speak?.(lap % 2 === 0 ? 'ours' : 'bare', round);
        }
        await wait(1);
      }
      const seconds = (performance.now() - began) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      await wait(200);
      return { seconds, cpuSeconds: (user + system) / 1e6 };
    },
  });
}
