import type { TerminalSummary } from '@liminal/contracts';

/** The terminal in which a saved command of a project last ran. */
export const commandTerminal = (
  terminals: readonly TerminalSummary[] | null,
  projectId: string,
  name: string,
): TerminalSummary | undefined =>
  terminals?.findLast((each) => each.kind === 'command' && each.projectId === projectId && each.title === name);

/** The state of a terminal's command, for the user; nothing while a shell runs. */
export function exitText({ running, exitCode }: TerminalSummary): string {
  if (running) return '';
  return typeof exitCode === 'number' ? `Exited with code ${exitCode}` : 'Ended by a signal';
}
