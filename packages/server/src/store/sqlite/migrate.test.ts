import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { migrations } from './migrate.ts';

/** The SHA-256 of each migration's SQL, shortened. Append the one of a new migration; never replace one. */
const released: readonly string[] = [
  '65b24bd682f7b002',
  '27938b33e92c9ba1',
  '0b147fda796f8173',
  'b527e221a09cfcf1',
  '05ac0505797ec744',
  '1930394c5a8add07',
  '75e1c90aa79e0b98',
  'f1f7c27bcefb3faa',
  '721d20156fe6dbd3',
  'fb9a8e8b7c4845ef',
  '22f550c8912fbfc3',
  'a1f62a93350de72d',
];

const checksumOf = (sql: string): string => createHash('sha256').update(sql).digest('hex').slice(0, 16);

it.each(migrations.map((sql, index) => [index + 1, checksumOf(sql)] as const))(
  'keeps migration %i as it was released',
  (version, checksum) => {
    const known = released[version - 1];
    expect(known, `Migration ${version} is new: append '${checksum}' to the list in this test.`).toBeDefined();
    expect(
      checksum,
      `Migration ${version} was edited, but databases that already have it won't run it again. Undo the edit, and write a new migration instead.`,
    ).toBe(known);
  },
);

it('keeps every released migration', () => {
  expect(migrations.length, 'Databases count their migrations: never remove one.').toBe(released.length);
});
