import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('can’t escape their folder, whatever the file is called', async () => {
    await drafts().save('/a', '../../../../etc/x', edits('t', null));
    expect(readdirSync(folder)).toEqual(['drafts']);
    expect(readdirSync(join(folder, 'drafts'))[0]).toMatch(/^[0-9a-f]{64}\.json$/);
  });
});
