import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { fail, ok, type Result } from '@liminal/contracts';
import { kindOfAddress } from './check-address.ts';

export type Lookup = (hostname: string) => Promise<readonly string[]>;

export type PostDeps = {
  readonly lookup?: Lookup;
  /** The port of this server. */
  readonly ownPort: () => number;
  /** Time limit for resolving the name, connecting, sending and receiving the headers of the reply together. */
  readonly timeoutMs: number;
};

type Target = Pick<URL, 'hostname' | 'port' | 'protocol'>;

const usualLookup: Lookup = async (hostname) =>
  (await dnsLookup(hostname, { all: true })).map(({ address }) => address);

const portOf = ({ port, protocol }: Target): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/**
 * The address of a host that may be called. All of its addresses must be allowed, because any of them could be used.
 */
export async function resolveTarget(
  target: Target,
  allowPrivate: boolean,
  { lookup = usualLookup, ownPort }: PostDeps,
): Promise<Result<string, 'INVALID_REQUEST'>> {
  const host = target.hostname.replace(/^\[|\]$/g, '');
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await lookup(host) : [host];
  } catch {
    addresses = [];
  }
  const [address] = addresses;
  if (address === undefined) return fail('INVALID_REQUEST', `The name ${host} wasn't found. Check its spelling.`);
  const kinds = addresses.map((each) => kindOfAddress(each, portOf(target), ownPort()));
  if (kinds.includes('refused')) {
    return fail('INVALID_REQUEST', `${host} resolves to an address that webhooks are never sent to. Use another one.`);
  }
  if (kinds.includes('private') && !allowPrivate) {
    return fail(
      'INVALID_REQUEST',
      `${host} is on this machine or a private network. Allow private addresses to use it.`,
    );
  }
  return ok(address);
}

/**
 * Sends one event to the address that was checked. A redirect is a failure, and the reply body isn't read. It doesn't
 * import `node:http`: that evaluates all its exports, which loads Node's `fetch`, 13 MB of memory.
 */
export async function postEvent(
  webhook: { readonly url: string; readonly allowPrivate: boolean },
  headers: Readonly<Record<string, string>>,
  body: string,
  deps: PostDeps,
  signal: AbortSignal,
): Promise<{ readonly ok: boolean; readonly message: string }> {
  const url = new URL(webhook.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.timeoutMs)]);
  const resolved = await unlessAborted(resolveTarget(url, webhook.allowPrivate, deps), limit);
  if (resolved === null) return { ok: false, message: `The name ${host} wasn't resolved in time.` };
  if (!resolved.ok) return { ok: false, message: resolved.failure.message };
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve) => {
    const end = (isOk: boolean, message: string): void => {
      request.destroy();
      resolve({ ok: isOk, message });
    };
    const request = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http').request({
      method: 'POST',
      host: resolved.value,
      port: portOf(url),
      path: url.pathname + url.search,
      headers: { ...headers, Host: url.host, 'Content-Length': Buffer.byteLength(body) },
      agent: false,
      signal: limit,
      ...(isSecure && isIP(host) === 0 && { servername: host }),
    });
    request.once('response', ({ statusCode = 0 }) => {
      if (statusCode >= 200 && statusCode < 300) return end(true, `Delivered (${statusCode}).`);
      if (statusCode >= 300 && statusCode < 400)
        return end(
          false,
          `The receiver redirects (${statusCode}). Redirects aren't followed; enter the final address.`,
        );
      end(false, `The receiver answered ${statusCode}.`);
    });
    request.once('error', (error: NodeJS.ErrnoException) =>
      end(
        false,
        limit.aborted
          ? "The receiver didn't answer in time."
          : `The receiver can't be reached (${error.code ?? error.message}).`,
      ),
    );
    request.end(body);
  });
}

/** Null once the signal aborts. The system's resolver can't be cancelled: without a network it may take a minute. */
function unlessAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const onAbort = () => resolve(null);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return Promise.race([task, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
