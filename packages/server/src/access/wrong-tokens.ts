import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

export type WrongTokens = {
  /** Whether tokens from this address are checked now. */
  mayTry(address: string): boolean;
  failed(address: string, token: string): void;
};

export type WrongTokensOptions = {
  readonly now?: () => number;
  /** How many different wrong tokens are free; after that, one more per `everyMs`. */
  readonly burst?: number;
  readonly everyMs?: number;
};

type Guesses = { count: number; since: number; readonly seen: Set<string> };

const mostAddresses = 1_000;
/** How many wrong tokens of one address are remembered. More come only from someone who guesses slowly, without end. */
const mostSeen = 100;

/**
 * Slows down token guessing. After a few different wrong tokens from one address, further tokens from there aren't even
 * compared for a while. Repeating the same wrong token isn't guessing, so a program with an old token blocks nobody.
 */
export function createWrongTokens({
  now = () => performance.now(),
  burst = 10,
  everyMs = 1_000,
}: WrongTokensOptions = {}): WrongTokens {
  const byAddress = new Map<string, Guesses>();
  const guessesOf = (address: string): Guesses => {
    const known = byAddress.get(address) ?? { count: 0, since: now(), seen: new Set<string>() };
    const forgiven = Math.floor((now() - known.since) / everyMs);
    known.count = Math.max(0, known.count - forgiven);
    known.since += forgiven * everyMs;
    if (known.count === 0) known.seen.clear();
    return known;
  };
  return {
    mayTry: (address) => guessesOf(networkOf(address)).count < burst,
    failed(address, token) {
      const network = networkOf(address);
      const guesses = guessesOf(network);
      const digest = createHash('sha256').update(token).digest('base64');
      if (guesses.seen.has(digest)) return;
      guesses.seen.add(digest);
      if (guesses.seen.size > mostSeen) guesses.seen.delete(guesses.seen.keys().next().value ?? '');
      guesses.count += 1;
      // The newest entries stay. An attacker with more addresses than this gains little when old ones are dropped.
      byAddress.delete(network);
      byAddress.set(network, guesses);
      if (byAddress.size > mostAddresses) byAddress.delete(byAddress.keys().next().value ?? '');
    },
  };
}

/**
 * The network of an address: for IPv6 its /64, because a single home or machine can use all addresses of one. An IPv4
 * address in IPv6 notation counts as the IPv4 address.
 */
function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const [head = '', tail = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [start, end] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const groups = [...start, ...Array<string>(8 - start.length - end.length).fill('0'), ...end];
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return groups.slice(0, 4).join(':');
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 0xff])
    .join('.');
}
