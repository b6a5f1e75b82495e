import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileDraft } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileDrafts } from './file-drafts.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'liminal-drafts-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const drafts = () => createFileDrafts({ folder: join(folder, 'drafts'), now: () => '2026-01-01T00:00:00.000Z' });
const edits = (text: string, replaces: string | null) => ({ text, etag: 'e', replaces });

describe('FL-3: unsaved edits', () => {
  it('survive a restart, one per file', async () => {
    const kept = await drafts().save('/a', 'x.ts', edits('mine', null));
    expect(kept.ok).toBe(true);
    expect(await drafts().read('/a', 'x.ts')).toMatchObject({ text: 'mine', etag: 'e' });
    expect(await drafts().read('/b', 'x.ts')).toBeNull();
    expect(readdirSync(join(folder, 'drafts'))).toHaveLength(1);
  });

  it('are never replaced or dropped by a writer that hasn’t seen them', async () => {
    const first = await drafts().save('/a', 'x.ts', edits('mine', null));
    const version = first.ok ? first.value.version : '';
    expect(await drafts().save('/a', 'x.ts', edits('theirs', null))).toMatchObject({ failure: { code: 'STALE' } });
    expect(await drafts().remove('/a', 'x.ts', 'another')).toMatchObject({ failure: { code: 'STALE' } });
    expect(await drafts().read('/a', 'x.ts')).toMatchObject({ text: 'mine' });
    const next = await drafts().save('/a', 'x.ts', edits('more', version));
    expect(next).toMatchObject({ ok: true });
    // The same request again, as after a lost reply.
    expect(await drafts().save('/a', 'x.ts', edits('more', version))).toEqual(next);
    expect(await drafts().remove('/a', 'x.ts', next.ok ? next.value.version : '')).toMatchObject({ ok: true });
    expect(await drafts().read('/a', 'x.ts')).toBeNull();
  });

  it('are dropped after three months, as are files a killed server left incomplete', async () => {
    await drafts().save('/a', 'old.ts', edits('old', null));
    await drafts().save('/a', 'new.ts', edits('new', null));
    const place = join(folder, 'drafts');
    const [day, now] = [24 * 3_600, Date.parse('2026-01-01T00:00:00.000Z') / 1_000];
    for (const name of readdirSync(place)) utimesSync(join(place, name), now, now - day);
    const leftover = join(place, `${'0'.repeat(64)}.json.half`);
    writeFileSync(leftover, '{');
    utimesSync(leftover, now, now - day);
    await drafts().save('/a', 'third.ts', edits('third', null));
    expect(readdirSync(place)).toHaveLength(3);
    expect(await drafts().read('/a', 'old.ts')).toMatchObject({ text: 'old' });
    for (const name of readdirSync(place)) utimesSync(join(place, name), now, now - 91 * day);
    await drafts().save('/a', 'fourth.ts', edits('fourth', null));
    expect(readdirSync(place)).toHaveLength(1);
  });

  it('move with their file, or with a folder above it, and keep their versions', async () => {
    const first = await drafts().save('/a', 'src/x.ts', edits('mine', null));
    await drafts().save('/a', 'src/deep/y.ts', edits('too', null));
    await drafts().save('/a', 'srcs/z.ts', edits('stays', null));
    await drafts().save('/b', 'src/x.ts', edits('of another folder', null));
    await drafts().move('/a', 'src', 'lib/new');
    expect(await drafts().read('/a', 'src/x.ts')).toBeNull();
    expect(await drafts().read('/a', 'lib/new/x.ts')).toEqual({
      text: 'mine',
      etag: 'e',
      version: first.ok ? first.value.version : '',
      updatedAt: '2026-01-01T00:00:00.000Z',
    });
    await drafts().move('/a', './lib/new/deep/y.ts', '/a/y.ts');
    expect(await drafts().read('/a', 'y.ts')).toMatchObject({ text: 'too' });
    expect(await drafts().read('/a', 'srcs/z.ts')).toMatchObject({ text: 'stays' });
    expect(await drafts().read('/b', 'src/x.ts')).toMatchObject({ text: 'of another folder' });
    expect(readdirSync(join(folder, 'drafts'))).toHaveLength(4);
  });

  it('stay if their file moves to where it is', async () => {
    await drafts().save('/a', 'x.ts', edits('mine', null));
    await drafts().move('/a', 'x.ts', './x.ts');
    expect(await drafts().read('/a', 'x.ts')).toMatchObject({ text: 'mine' });
  });

  it('move if an earlier version of the server wrote them, which didn’t store their path', async () => {
    await drafts().save('/a', 'x.ts', edits('mine', null));
    const [name = ''] = readdirSync(join(folder, 'drafts'));
    const place = join(folder, 'drafts', name);
    const { text, etag, version, updatedAt } = JSON.parse(readFileSync(place, 'utf8')) as FileDraft;
    writeFileSync(place, JSON.stringify({ text, etag, version, updatedAt }));
    await drafts().move('/a', 'x.ts', 'y.ts');
    expect(await drafts().read('/a', 'y.ts')).toMatchObject({ text: 'mine', version });
  });

  it('can’t escape their folder, whatever the file is called', async () => {
    await drafts().save('/a', '../../../../etc/x', edits('t', null));
    expect(readdirSync(folder)).toEqual(['drafts']);
    expect(readdirSync(join(folder, 'drafts'))[0]).toMatch(/^[0-9a-f]{64}\.json$/);
  });
});
