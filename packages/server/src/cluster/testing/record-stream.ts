import { createConnection } from 'node:net';

export type Recorder = { readonly entries: readonly (readonly string[])[]; stop(): void };

/**
 * Records the fields of every command that nodes send each other, or of every reply in their inboxes, as anyone with
 * access to Redis could. Resolves once Redis has confirmed; earlier ones aren't recorded.
 */
export async function recordStream(url: string, stream: 'commands' | 'inbox'): Promise<Recorder> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  const entries: string[][] = [];
  let rest = '';
  const agreed = Promise.withResolvers<void>();
  socket.once('error', agreed.reject);
  socket.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\r\n');
    rest = lines.pop() ?? '';
    if (lines.includes('+OK')) agreed.resolve();
    for (const line of lines.filter((one) => one.includes(`"XADD" "liminal:${stream}:`))) {
      const words = [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => unescaped(word));
      entries.push(words.slice(words.indexOf('*') + 1));
    }
  });
  socket.write('MONITOR\r\n');
  await agreed.promise;
  return { entries, stop: () => void socket.destroy() };
}

/** Redis writes a byte that isn't printable ASCII as `\xNN`, which JSON doesn't know. */
function unescaped(word: string): string {
  const json = word.replaceAll(/\\(?:x([0-9a-f]{2})|.)/g, (same, byte?: string) => (byte ? `\\u00${byte}` : same));
  return Buffer.from(JSON.parse(json) as string, 'latin1').toString('utf8');
}
