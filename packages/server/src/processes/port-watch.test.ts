import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseListeners, portsAmong } from './listening-ports.ts';
import { createPortWatch, type PortOwner } from './port-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const line = (local: string, state: string, inode: number): string =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 100 0 0 10 0`;

describe('the table of listening sockets', () => {
  it('has the ports on loopback and on all addresses, for IPv4 and IPv6', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      line('0100007F:1F90', '0A', 1),
      line('00000000:0BB8', '0A', 2),
      line('00000000000000000000000001000000:1435', '0A', 3),
      line('00000000000000000000000000000000:1436', '0A', 4),
      line('0000000000000000FFFF00000100007F:1437', '0A', 5),
    ].join('\n');
    expect(parseListeners(table)).toEqual([
      { port: 8080, reach: 'loopback', inode: '1' },
      { port: 3000, reach: 'any', inode: '2' },
      { port: 5173, reach: 'loopback', inode: '3' },
      { port: 5174, reach: 'any', inode: '4' },
      { port: 5175, reach: 'loopback', inode: '5' },
    ]);
  });

  it('leaves out connections, and ports on a single network interface', () => {
    expect(parseListeners([line('0100007F:1F90', '01', 1), line('0201A8C0:1F90', '0A', 2)].join('\n'))).toEqual([]);
  });

  it('lists a port once, with its wider reach', () => {
    const listeners = parseListeners([line('0100007F:0050', '0A', 1), line('00000000:0050', '0A', 2)].join('\n'));
    expect(portsAmong(listeners, new Set(['1', '2', '3']))).toEqual([{ port: 80, reach: 'any' }]);
    expect(portsAmong(listeners, new Set(['1']))).toEqual([{ port: 80, reach: 'loopback' }]);
  });
});

/** A machine on which process 10 is watched. 11 is its child and holds socket 1. */
function setUp(owner: PortOwner = { pid: 10 }) {
  const machine = { listeners: parseListeners(line('0100007F:1F90', '0A', 1)), owner: owner as PortOwner | null };
  const system = {
    listeners: vi.fn(async () => machine.listeners),
    family: vi.fn(async () => [10, 11]),
    sockets: vi.fn(
      async (pids: readonly number[]) => new Set(pids.includes(11) ? ['1'] : pids.includes(10) ? ['2'] : []),
    ),
  };
  const onChanged = vi.fn();
  const watch = createPortWatch({ ownerOf: () => machine.owner, onChanged, system, soonMs: 100, everyMs: 1_000 });
  return { machine, system, onChanged, watch };
}

describe('TM-6: ports of programs', () => {
  it('are found soon after output, and reported once', async () => {
    const { watch, onChanged } = setUp();
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(100);
    expect(watch.portsOf('t')).toEqual([{ port: 8080, reach: 'loopback' }]);
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(onChanged).toHaveBeenCalledTimes(1);
  });

  it('are looked for only during output, and not too often', async () => {
    const { watch, system, machine } = setUp();
    machine.listeners = parseListeners(line('0100007F:1F90', '0A', 9));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(system.listeners).not.toHaveBeenCalled();
    for (let printed = 0; printed < 500; printed += 1) {
      watch.heard('t');
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(system.listeners.mock.calls.length).toBeLessThanOrEqual(6);
    // Nothing new listens, so no processes were checked again.
    expect(system.family).toHaveBeenCalledTimes(1);
  });

  it('are removed when they are closed, and when the program ends', async () => {
    const { watch, machine, onChanged } = setUp();
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(100);
    machine.listeners = [];
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watch.portsOf('t')).toEqual([]);
    machine.listeners = parseListeners(line('0100007F:1F91', '0A', 1));
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(1_000);
    expect([...watch.all().keys()]).toEqual(['t']);
    machine.owner = null;
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watch.all().size).toBe(0);
    expect(onChanged).toHaveBeenCalledTimes(4);
  });

  it('are removed when their program is killed, and then no longer looked for', async () => {
    const { watch, machine, system, onChanged } = setUp();
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(system.family).toHaveBeenCalledTimes(1);
    expect(watch.portsOf('t')).toHaveLength(1);
    machine.listeners = [];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(watch.portsOf('t')).toEqual([]);
    expect(onChanged).toHaveBeenCalledTimes(2);
    const looks = system.listeners.mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(system.listeners).toHaveBeenCalledTimes(looks);
  });

  it('are looked for at once after output, even while an open one is being watched', async () => {
    const { watch, machine, system } = setUp();
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(1_500);
    machine.listeners = parseListeners(line('0100007F:1F91', '0A', 3));
    system.sockets.mockResolvedValue(new Set(['3']));
    watch.heard('t');
    await vi.advanceTimersByTimeAsync(100);
    expect(watch.portsOf('t')).toEqual([{ port: 8081, reach: 'loopback' }]);
  });

  it('of an agent are those of its children, not its own', async () => {
    const { watch, machine } = setUp({ pid: 10, onlyChildren: true });
    machine.listeners = parseListeners([line('0100007F:1F90', '0A', 1), line('0100007F:1F91', '0A', 2)].join('\n'));
    watch.heard('s');
    await vi.advanceTimersByTimeAsync(100);
    expect(watch.portsOf('s')).toEqual([{ port: 8080, reach: 'loopback' }]);
  });
});
