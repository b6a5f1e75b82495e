import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { hostNames } from './origins.ts';

const lan = () => ({ eth0: [{ address: '192.168.1.7' }, { address: 'fe80::1' }] as NetworkInterfaceInfo[] });

describe('the host names a server accepts', () => {
  it('are those of this machine and the configured one', () => {
    expect(hostNames('127.0.0.1', lan)).toEqual(['127.0.0.1', 'localhost', '[::1]']);
    expect(hostNames('Box.local', lan)).toContain('box.local');
    expect(hostNames('fd00::5', lan)).toContain('[fd00::5]');
  });

  it('include every address of the machine when it listens on all interfaces', () => {
    expect(hostNames('0.0.0.0', lan)).toEqual(expect.arrayContaining(['192.168.1.7', '[fe80::1]']));
  });
});
