import type { ProcessLog } from '../../../processes/process-log.ts';

/**
 * The SDK writes to a process in steps nobody can wait for: when the process is gone, the failed write surfaces as an
 * unhandled rejection. The session learns of the end through its stream; the server must not die of it. Every other
 * rejection stays what it was.
 */
export function guardSdkRejections(log: ProcessLog): () => void {
  const guard = (reason: unknown): void => {
    if (isOfSdk(reason)) {
      log.debug({ reason: String(reason) }, 'the Agent SDK wrote to a process that had ended');
    } else if (process.listenerCount('unhandledRejection') === 1) {
      // With a listener of ours Node no longer ends the process by itself.
      throw reason;
    }
  };
  process.on('unhandledRejection', guard);
  return () => void process.off('unhandledRejection', guard);
}

function isOfSdk(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  return (
    /claude-agent-sdk/.test(reason.stack ?? '') ||
    /ProcessTransport|Claude Code process|write after end|EPIPE/.test(reason.message)
  );
}
