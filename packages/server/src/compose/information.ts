import { helpText } from './flags.ts';
import { programVersion } from '../program/program-files.ts';

/** The answer to `--help` or `--version`, wherever it stands among the arguments; null when neither was asked for. */
export function requestedInformation(args: readonly string[]): string | null {
  if (args.includes('--help') || args.includes('-h') || args[0] === 'help') return helpText;
  if (args.includes('--version') || args.includes('-v')) return programVersion();
  return null;
}
