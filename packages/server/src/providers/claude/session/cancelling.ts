import { asProviderError } from '../../provider-error.ts';
import type { ClaudeDeps } from '../process/claude-deps.ts';
import type { ClaudeProcess } from '../process/claude-process.ts';

/** A turn that is to be cancelled: Claude Code is asked to stop, and ended if it doesn't. */
export function createCancelling({ limits, log }: Pick<ClaudeDeps, 'limits' | 'log'>, sessionId: string) {
  let timer: NodeJS.Timeout | undefined;
  let running: ClaudeProcess | undefined;
  return {
    /** The turn that this process runs is to end. */
    want(process: ClaudeProcess): void {
      running = process;
    },
    async interrupt(process: ClaudeProcess): Promise<void> {
      clearTimeout(timer);
      timer = setTimeout(() => {
        log.warn({ sessionId }, "Claude Code didn't react to an interrupt; ending its process");
        void process.kill();
      }, limits.cancelMs);
      timer.unref();
      await process.interrupt().catch((error: unknown) => {
        if (!process.isAlive) return;
        throw asProviderError(error, 'INTERRUPT_FAILED', "Couldn't ask Claude Code to stop");
      });
    },
    /** An interrupt that came before Claude Code had begun with the message was for nothing: it is sent again. */
    repeat(): void {
      running?.interrupt().catch(() => {});
    },
    turnEnded(): void {
      clearTimeout(timer);
      running = undefined;
    },
  };
}
