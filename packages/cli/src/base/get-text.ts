import type { GetText } from '@liminal/client/connect-light';

/** One GET request with `node:http`: loading `fetch` takes longer than the rest of a command. */
export const getText: GetText = async (address, headers) => {
  const { get } = address.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const request = get(address, { agent: false, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text })).on('error', reject);
    });
    request.on('error', reject);
  });
};
