import { asProviderError } from '../../provider-error.ts';
import type { ClaudeDeps } from '../process/claude-deps.ts';
import type { ClaudeProcess } from '../process/claude-process.ts';

/** Cancels a turn: asks Claude Code to stop, and ends it if it doesn't. */
export function createCancelling({ limits, log }: Pick<ClaudeDeps, 'limits' | 'log'>, sessionId: string) {
  let timer: NodeJS.Timeout | undefined;
  let running: ClaudeProcess | undefined;
  return {
    /** Cancels the turn that this process runs. */
    want(process: ClaudeProcess): void {
      running = process;
    },
    async interrupt(process: ClaudeProcess): Promise<void> {
      clearTimeout(timer);
      timer = setTimeout(() => {
        log.warn({ sessionId }, "Claude Code didn't respond to an interrupt; ending its process");
        void process.kill();
      }, limits.cancelMs);
      timer.unref();
      await process.interrupt().catch((error: unknown) => {
        if (!process.isAlive) return;
        throw asProviderError(error, 'INTERRUPT_FAILED', "Couldn't ask Claude Code to stop");
      });
    },
    /** Interrupts again: an interrupt has no effect before Claude Code has started on the message. */
    repeat(): void {
      running?.interrupt().catch(() => {});
    },
    turnEnded(): void {
      clearTimeout(timer);
      running = undefined;
    },
  };
}
