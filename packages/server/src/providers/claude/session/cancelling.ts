import { asProviderError } from '../../provider-error.ts';
import type { ClaudeDeps } from '../process/claude-deps.ts';
import type { ClaudeProcess } from '../process/claude-process.ts';

/** Cancels a turn: asks Claude Code to stop, and ends it if it doesn't. */
export function createCancelling({ limits, log }: Pick<ClaudeDeps, 'limits' | 'log'>, sessionId: string) {
  let timer: NodeJS.Timeout | undefined;
  let running: ClaudeProcess | undefined;
  /** Turns of sent messages that haven't started. */
  const waiting = new Set<string>();
  /** Those cancelled while another turn ran: an interrupt ends only the running one. */
  const overtaken = new Set<string>();
  /** An interrupt has no effect before Claude Code has started on the message. */
  const repeat = (): void => void running?.interrupt().catch(() => {});
  return {
    sent(turnId: string): void {
      waiting.add(turnId);
    },
    /** Cancels the turn that this process runs, and the messages that wait for it to end. */
    want(process: ClaudeProcess, currentTurnId: string | undefined): void {
      running = process;
      if (currentTurnId !== undefined) for (const turnId of waiting) overtaken.add(turnId);
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
    /** Interrupts again if an interrupt is under way. True if this turn was cancelled during another one. */
    turnStarted(turnId: string): boolean {
      waiting.delete(turnId);
      repeat();
      return overtaken.delete(turnId);
    },
    repeat,
    turnEnded(): void {
      clearTimeout(timer);
      running = undefined;
    },
  };
}
