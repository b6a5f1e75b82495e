import { launchHere, type LaunchedHere } from './launch.ts';
import type { ToLauncher, ToServer } from './launcher-messages.ts';

/**
 * The small process that starts git for the server. Starting a program first copies the process, which takes longer the
 * larger it is: 1 ms from here, 5 ms from a server of 120 MB, which is blocked meanwhile.
 */
type Running = LaunchedHere & { readonly finishes: boolean };
const running = new Map<number, Running>();
/** Bytes on their way to the server. Beyond this, the programs' output is paused. */
const mostUnread = 4 * 1024 * 1024;
let unread = 0;

function send(message: ToServer, bytes = 0): void {
  unread += bytes;
  if (unread > mostUnread) for (const program of running.values()) program.pause();
  const sent = (): void => {
    unread -= bytes;
    if (bytes > 0 && unread <= mostUnread) for (const program of running.values()) program.resume();
  };
  if (process.connected) process.send?.(message, undefined, {}, sent);
  else sent();
}
/** The longest a program may continue without a server. */
const finishMs = 600_000;

process.on('message', (message: ToLauncher) => {
  const { id } = message;
  if (message.type === 'stop') return running.get(id)?.stop();
  const over = (last: ToServer): void => {
    running.delete(id);
    send(last);
    if (!process.connected) leaveWhenDone();
  };
  const launched = launchHere(message.program, {
    stdout: (chunk) => send({ type: 'said', id, stream: 'stdout', chunk }, chunk.length),
    stderr: (chunk) => send({ type: 'said', id, stream: 'stderr', chunk }, chunk.length),
    failed: (error) => over({ type: 'failed', id, error }),
    ended: (code) => over({ type: 'ended', id, code }),
  });
  running.set(id, { ...launched, finishes: message.program.finishes === true });
});

const leaveWhenDone = (): void => {
  if (![...running.values()].some(({ finishes }) => finishes)) process.exit();
};

// The server is gone or no longer needs this. Leave nothing behind.
process.on('disconnect', () => {
  for (const program of running.values()) if (!program.finishes) program.stop();
  setTimeout(() => {
    for (const program of running.values()) program.stop();
    process.exit();
  }, finishMs);
  leaveWhenDone();
});
