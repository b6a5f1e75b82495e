import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asRecord, asRecords, asTexts, type Loose } from '../../kit/read-json.ts';
import { versionIn } from '../../kit/program-on-path.ts';
import { bundledBinary, isKnownVersion } from '../process/codex-program.ts';
import { usedProtocol } from './used-protocol.ts';

/** The protocol as described by the bundled Codex itself. */
function schemasOf(binary: string): (file: string) => Loose {
  const dir = mkdtempSync(join(tmpdir(), 'liminal-codex-schema-'));
  try {
    execFileSync(binary, ['app-server', 'generate-json-schema', '--experimental', '--out', dir]);
    const files = ['ClientRequest', 'ServerNotification', 'ServerRequest'];
    const read = new Map(
      files.map((file) => [file, asRecord(JSON.parse(readFileSync(join(dir, `${file}.json`), 'utf8')))]),
    );
    return (file) => read.get(file) ?? {};
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The parameter names of a message, by method. */
function methodsOf(schema: Loose): ReadonlyMap<string, ReadonlySet<string>> {
  const definitions = asRecord(schema['definitions']);
  const fieldsOf = (raw: unknown): string[] => {
    const type = asRecord(raw);
    const name = typeof type['$ref'] === 'string' ? type['$ref'].split('/').at(-1) : undefined;
    const own = name === undefined ? type : asRecord(definitions[name]);
    const parts = [...asRecords(own['allOf']), ...asRecords(own['oneOf']), ...asRecords(own['anyOf'])];
    return [...Object.keys(asRecord(own['properties'])), ...parts.flatMap(fieldsOf)];
  };
  return new Map(
    asRecords(schema['oneOf']).flatMap((message) => {
      const properties = asRecord(message['properties']);
      const params = new Set(fieldsOf(properties['params']));
      return asTexts(asRecord(properties['method'])['enum']).map((method) => [method, params] as const);
    }),
  );
}

test('CX-2: the bundled Codex has every method, field and item this program uses of its protocol', () => {
  const binary = bundledBinary();
  if (binary === undefined) throw new Error('Codex has no program for this platform');
  const version = versionIn(execFileSync(binary, ['--version'], { encoding: 'utf8' }));
  expect(isKnownVersion(version ?? ''), `Codex ${version} is not in known-versions.ts`).toBe(true);
  const schemaOf = schemasOf(binary);
  const missing: string[] = [];
  for (const [file, used] of [
    ['ClientRequest', usedProtocol.requests],
    ['ServerNotification', usedProtocol.notifications],
    ['ServerRequest', usedProtocol.questions],
  ] as const) {
    const known = methodsOf(schemaOf(file));
    expect(known.size, `${file}.json lists its methods`).toBeGreaterThan(0);
    for (const [method, fields] of Object.entries(used)) {
      const params = known.get(method);
      if (!params) missing.push(method);
      else missing.push(...fields.filter((field) => !params.has(field)).map((field) => `${method}: ${field}`));
    }
  }
  const notifications = JSON.stringify(asRecord(schemaOf('ServerNotification')['definitions'])['ThreadItem']);
  missing.push(
    ...usedProtocol.items.filter((type) => !notifications.includes(`"${type}"`)).map((type) => `item ${type}`),
  );
  expect(missing, 'changed in this version of Codex').toEqual([]);
});
