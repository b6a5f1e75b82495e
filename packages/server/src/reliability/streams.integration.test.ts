import { describe, expect, it } from 'vitest';
import { runAcpStream } from './testing/acp-streams.ts';
import { runClaudeHistory, runClaudeStream } from './testing/claude-streams.ts';
import { runCodexStream } from './testing/codex-streams.ts';
import { createRandom, type Random } from './testing/random.ts';
import { report } from './testing/report.ts';
import type { StreamVerdict } from './testing/stream-verdict.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';

/** Runs streams until enough of their messages were wrong. A failure names the stream's own seed. */
function torment(run: (random: Random) => StreamVerdict, wanted: number, from: number) {
  const [began, used] = [performance.now(), process.cpuUsage()];
  let [mutated, messages, streams] = [0, 0, 0];
  for (let each = from; mutated < wanted; each += 1) {
    let verdict: StreamVerdict;
    try {
      verdict = run(createRandom(each));
    } catch (error) {
      throw new Error(`stream ${each} crashed the translator`, { cause: error });
    }
    expect(verdict.problems, `stream ${each}`).toEqual([]);
    mutated += verdict.mutated;
    messages += verdict.messages;
    streams += 1;
  }
  const { user, system } = process.cpuUsage(used);
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU time`;
  return { mutated, messages, streams, took };
}

describe(`malformed streams (seed ${seed})`, () => {
  it.each([
    ['SDK messages of Claude Code', runClaudeStream, scaled(12_000, 750_000)],
    ['rows of Claude Code’s session file', runClaudeHistory, scaled(1_000, 20_000)],
    ['messages of ACP agents', runAcpStream, scaled(7_000, 230_000)],
    ['messages of Codex’s own protocol', runCodexStream, scaled(4_000, 120_000)],
  ])(
    '%s: nothing crashes, and every invariant of the core holds',
    (name, run, wanted) => {
      const { mutated, messages, streams, took } = torment(run, wanted, seed * 1_000_000);
      report(
        'Streams',
        name,
        `${mutated} malformed of ${messages} in ${streams} streams (${took}): 0 crashes, 0 broken invariants`,
      );
    },
    testTimeout,
  );
});
