import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

export type AddressKind = 'public' | 'private' | 'refused';

const refused = listOf([
  // "This network", link-local (where clouds keep their metadata), multicast, reserved and broadcast.
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // Metadata services outside the link-local range: Alibaba, Azure, Oracle, AWS.
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
]);
const onlyHere = listOf(['127.0.0.0/8', '::1/128']);
const ofPrivateNetworks = listOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
  'fec0::/10',
]);

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits = ''] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The IPv4 address inside an IPv6 address that wraps one: mapped, compatible, NAT64, 6to4. */
function embedded(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const v4 = (high = 0, low = 0) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  const isMapped = isZero(0, 5) && (groups[5] === 0xffff || groups[5] === 0);
  const isTranslated = groups[0] === 0x64 && groups[1] === 0xff9b;
  if (isTranslated || (isMapped && !(isZero(5, 7) && (groups[7] ?? 0) <= 1))) return v4(groups[6], groups[7]);
  return groups[0] === 0x2002 ? v4(groups[1], groups[2]) : address;
}

function groupsOf(address: string): number[] {
  // The URL parser returns the canonical form, without dots.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = '', right] = text.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const head = read(left);
  const tail = right === undefined ? [] : read(right);
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

const own = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);

/** Whether an address may be called: `refused` never, `private` only if the user allowed it. */
export function kindOfAddress(
  address: string,
  port: number,
  /** The port of this server. */
  ownPort: number,
  ownAddresses: () => readonly string[] = own,
): AddressKind {
  // A zone names an interface of this machine, so the address is link-local.
  if (isIP(address) === 0 || address.includes('%')) return 'refused';
  const plain = embedded(address);
  if (isIn(refused, plain)) return 'refused';
  const isHere = isIn(onlyHere, plain) || ownAddresses().includes(plain);
  if (isHere && port === ownPort) return 'refused';
  return isHere || isIn(ofPrivateNetworks, plain) ? 'private' : 'public';
}
