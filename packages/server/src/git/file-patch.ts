import { ok, type ChangedFileReply, type Result } from '@liminal/contracts';
import { parseHunks } from '@liminal/domain/review/parse-hunks';
import { isSubmodule, type ChangedEntry } from './changed-entries.ts';
import { sizesOf } from './compare-trees.ts';
import type { PatchOptions } from './git.ts';
import { expectGit, type GitRunner } from './run-git.ts';

const usualLimit = { bytes: 1024 * 1024, lines: 20_000 };
const fullLimit = { bytes: 32 * 1024 * 1024, lines: Infinity };
const binaryLook = 8_000;

/** The patch of one file. Reads contents by object id, so edits made meanwhile don't affect it. */
export async function filePatch(
  runner: GitRunner,
  cwd: string,
  entry: ChangedEntry,
  { context, whitespace, full }: PatchOptions,
): Promise<Result<ChangedFileReply>> {
  const { path, oldPath, oldId, newId } = entry;
  const limit = full ? fullLimit : usualLimit;
  const reply = {
    path,
    ...(oldPath !== undefined && { oldPath }),
    oldId,
    newId,
    hunks: [],
    binary: false,
    tooLarge: false,
  };
  if (isSubmodule(entry.oldMode) || isSubmodule(entry.newMode))
    return ok(withPatch(reply, entry, submoduleBody(entry)));
  const sizes = await sizesOf(runner, cwd, [oldId, newId]);
  if (!sizes.ok) return sizes;
  const [oldSize, newSize] = [oldId, newId].map((id) => (id === null ? undefined : sizes.value.get(id)));
  const sized = { ...reply, ...(oldSize !== undefined && { oldSize }), ...(newSize !== undefined && { newSize }) };
  if (Math.max(oldSize ?? 0, newSize ?? 0) > fullLimit.bytes) return ok({ ...sized, tooLarge: true });
  const body = await bodyOf(
    runner,
    cwd,
    entry,
    [`-U${context}`, ...(whitespace === 'ignore' ? ['-w'] : [])],
    limit.bytes,
  );
  if (!body.ok) return body.failure.details?.['limit'] === 'bytes' ? ok({ ...sized, tooLarge: true }) : body;
  if (body.value === null) return ok({ ...sized, binary: true });
  if (lineCount(body.value) > limit.lines) return ok({ ...sized, tooLarge: true });
  return ok(withPatch(sized, entry, body.value));
}

/** Only the hunks. Null for a binary file. */
async function bodyOf(
  runner: GitRunner,
  cwd: string,
  { oldId, newId }: ChangedEntry,
  options: readonly string[],
  mostBytes: number,
): Promise<Result<string | null>> {
  if (oldId === newId) return ok('');
  if (oldId === null || newId === null) {
    const ran = await expectGit(runner, { cwd, args: ['cat-file', 'blob', (newId ?? oldId) as string], mostBytes });
    if (!ran.ok) return ran;
    const content = ran.value.stdout;
    return ok(
      content.subarray(0, binaryLook).includes(0)
        ? null
        : oneSided(content.toString('utf8'), oldId === null ? '+' : '-'),
    );
  }
  const flags = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '--full-index'];
  const ran = await expectGit(runner, { cwd, args: ['diff', ...flags, ...options, oldId, newId, '--'], mostBytes });
  if (!ran.ok) return ran;
  const text = ran.value.stdout.toString('utf8');
  if (/^Binary files /m.test(text.slice(0, text.indexOf('\n@@') + 1 || undefined))) return ok(null);
  const start = text.startsWith('@@') ? 0 : text.indexOf('\n@@') + 1;
  return ok(start === 0 && !text.startsWith('@@') ? '' : text.slice(start));
}

/** All lines of a file that was added or deleted. */
function oneSided(content: string, sign: '+' | '-'): string {
  if (content === '') return '';
  const lines = content.split('\n');
  const hasLastNewline = lines.at(-1) === '';
  if (hasLastNewline) lines.pop();
  const range = sign === '+' ? `@@ -0,0 +${rangeOf(lines.length)} @@` : `@@ -${rangeOf(lines.length)} +0,0 @@`;
  const end = hasLastNewline ? '' : '\\ No newline at end of file\n';
  return `${range}\n${lines.map((line) => `${sign}${line}\n`).join('')}${end}`;
}
const rangeOf = (count: number): string => (count === 1 ? '1' : `1,${count}`);

const submoduleBody = ({ oldId, newId }: ChangedEntry): string => {
  const lines = [
    ...(oldId === null ? [] : [`-Subproject commit ${oldId}\n`]),
    ...(newId === null ? [] : [`+Subproject commit ${newId}\n`]),
  ];
  return `@@ -${oldId === null ? '0,0' : '1'} +${newId === null ? '0,0' : '1'} @@\n${lines.join('')}`;
};

function withPatch(reply: ChangedFileReply, entry: ChangedEntry, body: string): ChangedFileReply {
  return { ...reply, patch: headOf(entry, body !== '') + body, hunks: parseHunks(body) };
}

function headOf({ path, oldPath = path, oldMode, newMode, oldId, newId }: ChangedEntry, hasBody: boolean): string {
  const [from, to] = [quoted(`a/${oldPath}`), quoted(`b/${path}`)];
  const lines = [`diff --git ${from} ${to}`];
  if (oldId === null) lines.push(`new file mode ${newMode}`);
  else if (newId === null) lines.push(`deleted file mode ${oldMode}`);
  else if (oldMode !== newMode) lines.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  if (oldPath !== path) lines.push(`rename from ${quoted(oldPath)}`, `rename to ${quoted(path)}`);
  const none = '0'.repeat((oldId ?? newId ?? '').length);
  lines.push(`index ${oldId ?? none}..${newId ?? none}${oldMode === newMode ? ` ${newMode}` : ''}`);
  if (hasBody) lines.push(`--- ${oldId === null ? '/dev/null' : from}`, `+++ ${newId === null ? '/dev/null' : to}`);
  return `${lines.join('\n')}\n`;
}

/** Quotes a path the way git does. */
const quoted = (name: string): string => (/["\\\n\t\r]/.test(name) ? JSON.stringify(name) : name);

const lineCount = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};
