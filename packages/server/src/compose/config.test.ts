import { describe, expect, it } from 'vitest';
import { readConfig, encryptionNotice, weaknessOf } from './config.ts';
import { randomBytes } from 'node:crypto';

const goodToken = 'given-by-the-person-1234';
const sentence = (args: string[], env: NodeJS.ProcessEnv = {}) => {
  const read = readConfig(args, env);
  return read.ok ? null : read.sentence;
};

describe('the flags', () => {
  it('have sensible defaults', () => {
    const read = readConfig([], { HOME: '/home/me' });
    expect(read.ok && read.config).toMatchObject({
      port: 4747,
      host: '127.0.0.1',
      open: true,
      json: false,
      token: null,
    });
  });

  it('count as missing if their variables are set but empty', () => {
    const names = ['PORT', 'DATA_DIR', 'TOKEN', 'LOG', 'IDLE_MINUTES', 'MAX_AGENTS', 'PUBLIC_URL', 'CODEX'];
    const empty = Object.fromEntries(names.map((name) => [`LIMINAL_${name}`, '']));
    expect(readConfig([], empty)).toEqual(readConfig([], {}));
  });

  it('are read', () => {
    const read = readConfig(['--port', '0', '--data-dir', '/tmp/x', '--no-open', '--json'], {
      LIMINAL_TOKEN: goodToken,
    });
    expect(read.ok && read.config).toMatchObject({
      port: 0,
      dataDir: '/tmp/x',
      open: false,
      json: true,
      token: goodToken,
    });
  });

  it.each([
    ['an unknown flag', ['--prot', '1'], {}, "Unknown option '--prot'"],
    ['an extra argument', ['now'], {}, 'Unexpected argument'],
    ['a port that is no number', ['--port', 'eighty'], {}, '"eighty" isn\'t a valid port'],
    ['a port out of range', ['--port', '70000'], {}, 'from 0 to 65535'],
    ['a missing value', ['--port'], {}, '--port'],
    ['another host without a token', ['--host', '0.0.0.0'], {}, 'set LIMINAL_TOKEN'],
    ['a short token', [], { LIMINAL_TOKEN: 'short' }, 'too short'],
    ['a token of one character', [], { LIMINAL_TOKEN: 'x'.repeat(40) }, 'too few distinct characters'],
    ['a token with spaces', [], { LIMINAL_TOKEN: 'long enough to be a secret' }, 'spaces'],
    ['an empty port', ['--port', ''], {}, '"" isn\'t a valid port'],
    ['an empty data directory', ['--data-dir', ''], {}, '--data-dir is empty'],
    ['an unknown log level', [], { LIMINAL_LOG: 'loud' }, 'LIMINAL_LOG must be one of trace, debug'],
    ['an address that is none', [], { LIMINAL_PUBLIC_URL: 'https://a b/' }, 'LIMINAL_PUBLIC_URL'],
    ['nonsense in the environment', [], { LIMINAL_IDLE_MINUTES: 'soon' }, 'LIMINAL_IDLE_MINUTES'],
  ])('refuse %s with a sentence and the usage', (_name, args, env, words) => {
    expect(sentence(args, env)).toContain(words);
    expect(sentence(args, env)).toContain('Usage: npm start');
  });

  it('allow another host with a token', () => {
    expect(sentence(['--host', '0.0.0.0'], { LIMINAL_TOKEN: goodToken })).toBeNull();
  });
});

describe('CX-2: LIMINAL_CODEX', () => {
  it('accepts either way to connect to Codex, or none', () => {
    for (const way of ['native', 'acp', '', undefined]) expect(sentence([], { LIMINAL_CODEX: way })).toBeNull();
    expect(sentence([], { LIMINAL_CODEX: 'both' })).toMatch(/LIMINAL_CODEX must be "native" or "acp"/);
  });
});

it.each(['127.0.0.1', 'localhost', '::1'])('prints no notice for %s, which no other machine can reach', (host) => {
  expect(encryptionNotice(host)).toBeNull();
});

it.each(['0.0.0.0', '::', '192.168.1.20', 'studio.local'])(
  'warns for %s that the connection is not encrypted, and explains how to put TLS in front',
  (host) => {
    expect(encryptionNotice(host)).toMatch(/isn't encrypted(.|\n)*TLS(.|\n)*LIMINAL_PUBLIC_URL/);
  },
);

it.each([
  ['short', 'too short'],
  ['x'.repeat(20), 'too few distinct'],
  ['abcabcabcabcabcabc', 'too few distinct'],
  ['correct horse battery staple', 'spaces'],
  ['tab\tin-the-middle-of-it', 'spaces'],
  ['pässwörter-sind-so-eine-sache', 'other characters'],
  ['password1password1', 'repeats'],
  ['1234567890123456', 'repeats'],
  ['abcdefghijklmnopqrst', 'pattern'],
])('rejects %j', (token, reason) => {
  expect(weaknessOf(token)).toContain(reason);
});

it('accepts random tokens in every common encoding', () => {
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    for (let count = 0; count < 200; count += 1) expect(weaknessOf(randomBytes(24).toString(encoding))).toBeNull();
  }
  expect(weaknessOf('given-by-the-person-1234')).toBeNull();
});
