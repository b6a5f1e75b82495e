import type { TerminalSummary } from '@liminal/contracts';

/** The terminal in which a project's saved command last ran. */
export const commandTerminal = (
  terminals: readonly TerminalSummary[] | null,
  projectId: string,
  name: string,
): TerminalSummary | undefined =>
  terminals?.findLast((each) => each.kind === 'command' && each.projectId === projectId && each.title === name);

/** The state of a terminal's command as a label; empty for a running shell. */
export function exitText({ running, exitCode }: TerminalSummary): string {
  if (running) return '';
  return typeof exitCode === 'number' ? `Exited with code ${exitCode}` : 'Ended by a signal';
}
