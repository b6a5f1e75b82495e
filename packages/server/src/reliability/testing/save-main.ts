import { linkSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileDrafts } from '../../files/contents/file-drafts.ts';
import { readText } from '../../files/contents/read-text.ts';
import { saveText } from '../../files/contents/save-text.ts';
import { killAtStep } from './kill-at-step.ts';

/**
 * `make`: writes the original file. `link`: gives it a second name. `save`: saves over it as a user would, and is killed
 * at the step, if given. `draft`: stores the text as an unsaved edit, and prints what is in the folder then.
 */
const [act = '', folder = '', path = '', content = '', times = '1', step = ''] = process.argv.slice(2);
const text = content.repeat(Number(times));
if (act === 'make') writeFileSync(join(folder, path), text);
if (act === 'link') linkSync(join(folder, path), join(folder, content));
if (act === 'save') {
  const opened = await readText(folder, { path });
  if (!opened.ok) throw new Error(opened.failure.message);
  if (step !== '') killAtStep(Number(step), null);
  const saved = await saveText(folder, path, text, { kind: 'match', etag: opened.value.etag });
  process.stdout.write(`${JSON.stringify(saved)}\n`);
}
if (act === 'read') process.stdout.write(JSON.stringify(await readText(folder, { path })));
if (act === 'draft') {
  const drafts = createFileDrafts({ folder, now: () => new Date().toISOString() });
  const saved = await drafts.save('/project', path, { text, etag: 'e', replaces: null });
  process.stdout.write(JSON.stringify({ saved, files: readdirSync(folder) }));
}
