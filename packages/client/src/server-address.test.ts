import { describe, expect, it } from 'vitest';
import { serverAddress } from './server-address.ts';

const read = (text: string): string => {
  const checked = serverAddress(text);
  return checked.ok ? checked.value.href : checked.failure.message;
};

describe('the address of a server', () => {
  it.each([
    ['http://127.0.0.1:4747', 'http://127.0.0.1:4747/'],
    ['http://localhost:4747/?token=abc#x', 'http://localhost:4747/'],
    ['http://[::1]:1/', 'http://[::1]:1/'],
    ['http://127.1:4747/', 'http://127.0.0.1:4747/'],
    ['https://desk.example.org/agents', 'https://desk.example.org/agents/'],
  ])('may be %s', (given, address) => {
    expect(read(given)).toBe(address);
  });

  it.each([
    'http://192.168.1.4:4747/',
    'http://0.0.0.0:4747/',
    'http://localhost.example.org/',
    'http://127.0.0.1.example.org/',
    'http://[::ffff:10.0.0.1]/',
  ])('is rejected if the token would be sent unencrypted: %s', (given) => {
    expect(read(given)).toContain('without encryption');
  });

  it.each([
    ['4747', "isn't an address"],
    ['ftp://127.0.0.1/', 'must begin with'],
    ['https://me:secret@example.org/', 'name or password'],
    ['https://me@example.org/', 'name or password'],
    ['https://:secret@example.org/', 'name or password'],
  ])('is rejected if it is invalid: %s', (given, sentence) => {
    expect(read(given)).toContain(sentence);
  });
});
