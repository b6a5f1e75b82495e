import type { ApiResult } from './exchange.ts';

const refused = (message: string): ApiResult<never> => ({ ok: false, failure: { code: 'ADDRESS_REFUSED', message } });

/** `URL` has already normalised every form of an IPv4 address to four numbers. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

/** The address of a server, with a trailing slash. Rejected if the token could be intercepted. */
export function serverAddress(text: string): ApiResult<URL> {
  let address: URL;
  try {
    address = new URL(text);
  } catch {
    return refused(`"${text}" isn't an address. Give one such as http://127.0.0.1:4747/.`);
  }
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    return refused(`The address must begin with http:// or https://, not ${address.protocol}//.`);
  }
  if (address.username !== '' || address.password !== '') {
    return refused('The address must not contain a name or password.');
  }
  if (address.protocol === 'http:' && !isLoopback(address.hostname)) {
    return refused(
      `The token would be sent to ${address.host} without encryption. Use https, or an address of this machine.`,
    );
  }
  address.search = address.hash = '';
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  return { ok: true, value: address };
}
