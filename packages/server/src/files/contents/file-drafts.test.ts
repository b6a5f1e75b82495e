import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileDrafts } from './file-drafts.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'liminal-drafts-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const drafts = () => createFileDrafts({ folder: join(folder, 'drafts'), now: () => '2026-01-01T00:00:00.000Z' });
const edits = (text: string, replaces: string | null) => ({ text, etag: 'e', replaces });

describe('FL-3: edits that are not saved yet', () => {
  it('outlive the server, one for each file of a folder', async () => {
    const kept = await drafts().save('/a', 'x.ts', edits('mine', null));
    expect(kept.ok).toBe(true);
    expect(await drafts().read('/a', 'x.ts')).toMatchObject({ text: 'mine', etag: 'e' });
    expect(await drafts().read('/b', 'x.ts')).toBeNull();
    expect(readdirSync(join(folder, 'drafts'))).toHaveLength(1);
  });

  it('are never replaced or forgotten by whoever has not seen them', async () => {
    const first = await drafts().save('/a', 'x.ts', edits('mine', null));
    const version = first.ok ? first.value.version : '';
    expect(await drafts().save('/a', 'x.ts', edits('theirs', null))).toMatchObject({ failure: { code: 'STALE' } });
    expect(await drafts().remove('/a', 'x.ts', 'another')).toMatchObject({ failure: { code: 'STALE' } });
    expect(await drafts().read('/a', 'x.ts')).toMatchObject({ text: 'mine' });
    const next = await drafts().save('/a', 'x.ts', edits('more', version));
    expect(next).toMatchObject({ ok: true });
    // The same once more, as when a reply was lost.
    expect(await drafts().save('/a', 'x.ts', edits('more', version))).toEqual(next);
    expect(await drafts().remove('/a', 'x.ts', next.ok ? next.value.version : '')).toMatchObject({ ok: true });
    expect(await drafts().read('/a', 'x.ts')).toBeNull();
  });

  it('lead nowhere, whatever the file is called', async () => {
    await drafts().save('/a', '../../../../etc/x', edits('t', null));
    expect(readdirSync(folder)).toEqual(['drafts']);
    expect(readdirSync(join(folder, 'drafts'))[0]).toMatch(/^[0-9a-f]{64}\.json$/);
  });
});
