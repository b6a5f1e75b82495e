import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * An agent that writes a file on request: `HOW MICROSECONDS PATH TEXT`. HOW: in place, by replacing it with another
 * file, or with a link.
 */
for await (const line of createInterface({ input: process.stdin })) {
  const [how = '', microseconds = '', path = '', ...words] = line.split(' ');
  const text = words.join(' ');
  const due = performance.now() + Number(microseconds) / 1000;
  while (performance.now() < due);
  if (how === 'in-place') writeFileSync(path, text);
  else {
    const fresh = `${path}.agent`;
    rmSync(fresh, { force: true });
    if (how === 'link') symlinkSync(text, fresh);
    else writeFileSync(fresh, text);
    renameSync(fresh, path);
  }
  process.stdout.write('done\n');
}
