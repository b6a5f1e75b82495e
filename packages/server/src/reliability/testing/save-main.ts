import { linkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../files/contents/read-text.ts';
import { saveText } from '../../files/contents/save-text.ts';
import { killAtStep } from './kill-at-step.ts';

/**
 * `make`: writes the original file. `link`: gives it a second name. `save`: saves over it as a user would, and is killed
 * at the step, if given.
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
