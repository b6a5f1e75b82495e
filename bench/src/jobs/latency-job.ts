import { setTimeout as wait } from 'node:timers/promises';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { openBareSockets } from './bare-sockets.ts';
import { messageOf, type OpenTurn, openTurns } from './open-turns.ts';
import { type Side, stamp } from './stamp.ts';

export type Beats = {
  readonly everyMs: number;
  readonly rounds: number;
  readonly beatsPerRound: number;
  /** Rounds before this number warm up. */
  readonly firstRound: number;
};

/** About ten words: what a model at 200 words a second says in the 50 ms the server gathers. */
const words = ' and then the next few words of the answer come along here';
const updatesPerItem = 200;

/** One agent that talks; each word goes out on our side or straight to the bare sockets. */
function createSpeaker(host: BenchHost, turn: OpenTurn, bare: () => readonly { send(frame: string): void }[]) {
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
  return (side: Side, round: number) => {
    updates += 1;
    if (side === 'bare') {
      const place = `,"payload":{"itemId":"${turn.turnId}:1:${item}","offset":${content.length},"text":"`;
      const frame = `${bareHead}${updates}${place}${stamp(side, round)}${words}"}}`;
      for (const socket of bare()) socket.send(frame);
      return;
    }
    // Items of the length of a long paragraph, so that what is written behind is what it usually is.
    if (updates % updatesPerItem === 1) {
      item += 1;
      content = '';
      say('…', true);
    }
    say(stamp(side, round) + words, false);
  };
}

export async function run(host: BenchHost): Promise<void> {
  const sockets = await openBareSockets();
  let speakers: ReturnType<typeof createSpeaker>[] = [];
  await answerQuestions({
    async open({ sessions }: { sessions: number }) {
      const turns = await openTurns(host, sessions);
      speakers = turns.map((turn) => createSpeaker(host, turn, () => sockets.at(`/${turn.sessionId}`)));
      return {
        port: host.port,
        barePort: sockets.port,
        token: host.token,
        sessionIds: turns.map((turn) => turn.sessionId),
      };
    },
    /** Each round has beats of both sides in turns, so that whatever else the machine does meets both alike. */
    async beat({ everyMs, rounds, beatsPerRound, firstRound }: Beats) {
      const step = everyMs / speakers.length;
      const total = rounds * beatsPerRound * speakers.length;
      const began = performance.now();
      for (let beat = 0; beat < total;) {
        const due = Math.min(total, Math.floor((performance.now() - began) / step) + 1);
        for (; beat < due; beat += 1) {
          const lap = Math.floor(beat / speakers.length);
          const round = firstRound + Math.floor(lap / beatsPerRound);
          speakers[beat % speakers.length]?.(lap % 2 === 0 ? 'ours' : 'bare', round);
        }
        await wait(1);
      }
      await wait(200);
    },
  });
}
