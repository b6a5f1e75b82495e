import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';

/** One instruction per line, without comments. */
const instructions = readFileSync(inRoot('Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '');
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM')));
const argumentsOf = (name: string): string[] =>
  last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length).trim());

it('PK-2: the image doesn’t run as root, keeps its data in a volume and has a health check', () => {
  expect(argumentsOf('USER')).toEqual(['node']);
  expect(last.findLastIndex((line) => line.startsWith('RUN'))).toBeLessThan(last.indexOf('USER node'));
  expect(JSON.parse(argumentsOf('VOLUME')[0] ?? '')).toContain('/data');
  expect(argumentsOf('HEALTHCHECK')[0]).toContain('/api/health');
  for (const name of ['ENTRYPOINT', 'CMD']) expect(JSON.parse(argumentsOf(name)[0] ?? '')).toBeInstanceOf(Array);
});

it('PK-2: installs the result of `npm pack`, with valid Docker instructions', () => {
  expect(instructions.join(' ')).toContain('npm pack --pack-destination /package');
  expect(argumentsOf('COPY')).toEqual(['--from=build /package /package']);
  expect(argumentsOf('RUN').join(' ')).toContain('/package/*.tgz');
  const known = new Set([
    'FROM',
    'WORKDIR',
    'COPY',
    'RUN',
    'USER',
    'ENV',
    'VOLUME',
    'EXPOSE',
    'HEALTHCHECK',
    'ENTRYPOINT',
    'CMD',
  ]);
  expect(instructions.filter((line) => !known.has(line.split(' ')[0] ?? ''))).toEqual([]);
});
