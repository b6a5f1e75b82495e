import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../run-cli.ts';

it('CL-1: completes session ids in bash, but runs nothing that an id contains', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'liminal-completion-'));
  const script: string[] = [];
  const stdout = { write: (text: string) => script.push(text) } as unknown as typeof process.stdout;
  await runCli(['completion', 'bash'], { stdout, stderr: process.stderr, env: {}, cwd: '/' });
  writeFileSync(join(dir, 'completion.bash'), script.join(''));
  const ids = ['$(touch${IFS}made)', 'demo-1', 'codex:2'].map((id) => `${id}\tidle`).join('\n');
  writeFileSync(join(dir, 'liminal'), `#!/bin/sh\ncat <<'EOF'\n${ids}\nEOF\n`, { mode: 0o755 });
  const complete = `. ./completion.bash; COMP_WORDS=(liminal wait ''); COMP_CWORD=2; _liminal; echo "\${COMPREPLY[@]}"`;
  const env = { ...process.env, PATH: [dir, process.env['PATH']].join(delimiter) };
  const { stdout: words, stderr } = spawnSync('bash', ['-c', complete], { cwd: dir, env, encoding: 'utf8' });
  expect([stderr, words.trim().split(' ')]).toEqual(['', expect.arrayContaining(['demo-1', 'codex:2', '--timeout'])]);
  expect(existsSync(join(dir, 'made'))).toBe(false);
  rmSync(dir, { recursive: true });
});
