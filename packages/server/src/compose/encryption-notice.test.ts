import { expect, it } from 'vitest';
import { encryptionNotice } from './encryption-notice.ts';

it.each(['127.0.0.1', 'localhost', '::1'])('says nothing for %s, which no other machine can reach', (host) => {
  expect(encryptionNotice(host)).toBeNull();
});

it.each(['0.0.0.0', '::', '192.168.1.20', 'studio.local'])(
  'says for %s that the connection is not encrypted, and how to put TLS in front',
  (host) => {
    expect(encryptionNotice(host)).toMatch(/isn't encrypted(.|\n)*TLS(.|\n)*LIMINAL_PUBLIC_URL/);
  },
);
