import { readdir, readFile, readlink } from 'node:fs/promises';
import type { OpenPort } from '@liminal/contracts';

/** A listening socket on this machine, identified by `inode`. */
export type Listener = OpenPort & { readonly inode: string };

const listening = '0A';
const loopback6 = '00000000000000000000000001000000';
const mapped = '0000000000000000FFFF0000';

/** Which browsers can reach an address in /proc format. Null for one of a specific network interface. */
function reachOf(address: string): OpenPort['reach'] | null {
  const inner = address.startsWith(mapped) ? address.slice(mapped.length) : address;
  if (/^0+$/.test(inner)) return 'any';
  // The bytes are in reverse order.
  return inner === loopback6 || (inner.length === 8 && inner.endsWith('7F')) ? 'loopback' : null;
}

/** Reads `/proc/net/tcp` or `/proc/net/tcp6`. */
export function parseListeners(table: string): Listener[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    const reach = state === listening ? reachOf(address) : null;
    return reach === null || inode === '0' ? [] : [{ port: Number.parseInt(port, 16), reach, inode }];
  });
}

/** Everything that listens on this machine. Empty if the system doesn't report it. */
export async function readListeners(): Promise<readonly Listener[]> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => ''));
  return (await Promise.all(tables)).flatMap(parseListeners);
}

/** The sockets that these processes hold open. */
export async function socketsOf(pids: readonly number[]): Promise<ReadonlySet<string>> {
  const links = pids.map(async (pid) => {
    const folder = `/proc/${pid}/fd`;
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  });
  const inodes = (await Promise.all(links)).flat().map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]);
  return new Set(inodes.filter((inode) => inode !== undefined));
}

/** One entry per port, with the wider reach if a port is open twice. */
export function portsAmong(listeners: readonly Listener[], sockets: ReadonlySet<string>): OpenPort[] {
  const found = new Map<number, OpenPort>();
  for (const { port, reach, inode } of listeners)
    if (sockets.has(inode) && found.get(port)?.reach !== 'any') found.set(port, { port, reach });
  return [...found.values()].sort((a, b) => a.port - b.port);
}
