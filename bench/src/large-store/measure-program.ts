import { once } from 'node:events';
import { builtMain, type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { WebSocket } from 'ws';

export type Served = { readonly program: Program; readonly port: number; readonly token: string };

/** The program as users start it, on the data of a directory; and how long it took to be ready, in ms. */
export async function startOver(dataDir: string, cache: string): Promise<Served & { readonly ms: number }> {
  const began = performance.now();
  const program = startProgram({ main: builtMain, dataDir, env: { NODE_COMPILE_CACHE: cache } });
  const { port, token } = await program.ready;
  return { program, port, token, ms: performance.now() - began };
}

/** How long a request takes over HTTP, and its result. */
export async function ask<Reply>({ port, token }: Served, path: string): Promise<{ ms: number; reply: Reply }> {
  const began = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const reply = (await response.json()) as Reply;
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return { ms: performance.now() - began, reply };
}

/** From the request to the first sessions of the whole list, as the page loads it. */
export async function firstOfList({ port, token }: Served): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer ${token}` } });
  try {
    await once(socket, 'open');
    const began = performance.now();
    socket.send(JSON.stringify({ type: 'directory:subscribe' }));
    await once(socket, 'message');
    return performance.now() - began;
  } finally {
    socket.close();
  }
}
