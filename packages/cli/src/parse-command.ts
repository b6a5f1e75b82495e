import { parseArgs } from 'node:util';
import type { Command, Invocation } from './base/command.ts';
import { commonOptions } from './command-table.ts';

export type Parsed =
  | ({ readonly ok: true } & Pick<Invocation, 'args' | 'flag' | 'has'>)
  | { readonly ok: false; readonly sentence: string };

/** Parses the arguments and options of a command, or explains what is invalid. */
export function parseCommand(command: Command, args: readonly string[]): Parsed {
  const options = { ...command.options, ...commonOptions };
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type }]) => [name, name === 'help' ? { type, short: 'h' } : { type }]),
      ),
    });
    const wanted = command.usage === '' ? [] : command.usage.split(' ');
    const least = wanted.filter((word) => !word.startsWith('[')).length;
    const missing = wanted[positionals.length];
    if (values['help'] !== true) {
      if (positionals.length < least) return { ok: false, sentence: missingSentence(missing ?? '') };
      const extra = positionals[wanted.length];
      if (extra !== undefined)
        return { ok: false, sentence: `Unexpected argument "${extra}". Put a message in quotes.` };
    }
    return {
      ok: true,
      args: positionals,
      flag: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
      has: (name) => values[name] === true,
    };
  } catch (error) {
    // Node's message names the option. After the first full stop it gives advice for programmers.
    return { ok: false, sentence: `${(error as Error).message.split('. ')[0] ?? 'This is not an option'}.` };
  }
}

/** For a choice among a few words, the error lists them. */
function missingSentence(missing: string): string {
  const choices = missing.split('|');
  const last = choices.pop() ?? '';
  return choices.length === 0 ? `${last} is missing.` : `Choose one: ${choices.join(', ')} or ${last}.`;
}
