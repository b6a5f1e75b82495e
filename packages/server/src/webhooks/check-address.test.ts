import { expect, it } from 'vitest';
import { kindOfAddress } from './check-address.ts';

const kind = (address: string, port = 443) => kindOfAddress(address, port, 4747, () => ['203.0.113.9']);

it.each([
  ['93.184.216.34', 'public'],
  ['2606:2800:220:1:248:1893:25c8:1946', 'public'],
  ['127.0.0.1', 'private'],
  ['::1', 'private'],
  ['::ffff:127.0.0.1', 'private'],
  ['10.1.2.3', 'private'],
  ['100.64.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['fd12::1', 'private'],
  ['203.0.113.9', 'private'],
  ['169.254.169.254', 'refused'],
  ['::ffff:169.254.169.254', 'refused'],
  ['::ffff:a9fe:a9fe', 'refused'],
  ['::169.254.169.254', 'refused'],
  ['64:ff9b::a9fe:a9fe', 'refused'],
  ['2002:a9fe:a9fe::1', 'refused'],
  ['fe80::1', 'refused'],
  ['fe80::1%eth0', 'refused'],
  ['fd00:ec2::254', 'refused'],
  ['100.100.100.200', 'refused'],
  ['168.63.129.16', 'refused'],
  ['0.0.0.0', 'refused'],
  ['::', 'refused'],
  ['224.0.0.1', 'refused'],
  ['ff02::1', 'refused'],
  ['255.255.255.255', 'refused'],
  ['not an address', 'refused'],
])('counts %s as %s', (address, expected) => {
  expect(kind(address)).toBe(expected);
});

it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '203.0.113.9'])(
  'refuses the server’s own port at %s',
  (address) => {
    expect(kind(address, 4747)).toBe('refused');
    expect(kind('192.168.1.1', 4747)).toBe('private');
  },
);
