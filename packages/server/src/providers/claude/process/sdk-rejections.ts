import type { ProcessLog } from '../../../processes/process-log.ts';

/**
 * The SDK writes to a process in steps nobody can await: when the process is gone, the failed write becomes an
 * unhandled rejection. The session learns of the end through its stream, and the server must not crash. Every other
 * rejection is rethrown.
 */
export function guardSdkRejections(log: ProcessLog): () => void {
  const guard = (reason: unknown): void => {
    if (isOfSdk(reason)) {
      log.debug({ reason: String(reason) }, 'the Agent SDK wrote to a process that had ended');
    } else if (process.listenerCount('unhandledRejection') === 1) {
      // With our own listener Node no longer exits by itself.
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
