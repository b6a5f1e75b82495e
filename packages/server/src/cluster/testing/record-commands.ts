import { createConnection } from 'node:net';

/** Listens to what Redis is sent, as somebody who shares it can: the fields of every command that nodes send each other. */
export function recordCommands(url: string): { readonly commands: readonly (readonly string[])[]; stop(): void } {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  const commands: string[][] = [];
  let rest = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((one) => one.includes('"XADD" "liminal:commands:'))) {
      const words = [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => JSON.parse(word) as string);
      commands.push(words.slice(words.indexOf('*') + 1));
    }
  });
  socket.write('MONITOR\r\n');
  return { commands, stop: () => void socket.destroy() };
}
