import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { commands, commonOptions, serverCommands } from '../command-table.ts';

const names = (): string[] => [...Object.keys(serverCommands), ...Object.keys(commands), 'help'];
const optionsOf = (name: string): string[] =>
  Object.keys({ ...commands[name]?.options, ...commonOptions }).map((option) => `--${option}`);
const takesSession = (name: string): boolean => commands[name]?.usage.startsWith('SESSION') === true;
/**
 * One id per line. The shell runs this only when Tab is pressed. Agents and other machines choose ids, and bash evaluates
 * the words it completes, so ids with other characters are left out.
 */
const sessions = `liminal ls 2>/dev/null | cut -f1 | grep -xE '[A-Za-z0-9._:@/-]+'`;

const bash = (): string => `# liminal: put this into ~/.bashrc:  source <(liminal completion bash)
_liminal() {
  local word=\${COMP_WORDS[COMP_CWORD]} name=\${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names().join(' ')}" -- "$word")); return
  fi
  case "$name" in
${Object.keys(commands)
  .map((name) => {
    const ids = takesSession(name) ? `\n      [ "$COMP_CWORD" -eq 2 ] && words="$words $(${sessions})"` : '';
    return `    ${name}) local words="${optionsOf(name).join(' ')}"${ids}\n      COMPREPLY=($(compgen -W "$words" -- "$word")) ;;`;
  })
  .join('\n')}
  esac
}
complete -o default -F _liminal liminal`;

const zsh = (): string => `#compdef liminal
# liminal: put this into ~/.zshrc after compinit:  source <(liminal completion zsh)
_liminal() {
  if (( CURRENT == 2 )); then
    compadd -- ${names().join(' ')}; return
  fi
  case "\${words[2]}" in
${Object.keys(commands)
  .map((name) => {
    const ids = takesSession(name) ? ` (( CURRENT == 3 )) && compadd -- \${(f)"$(${sessions})"};` : '';
    return `    ${name})${ids} compadd -- ${optionsOf(name).join(' ')} ;;`;
  })
  .join('\n')}
  esac
  _files
}
compdef _liminal liminal`;

const fish = (): string =>
  [
    '# liminal: liminal completion fish > ~/.config/fish/completions/liminal.fish',
    ...Object.entries({ ...serverCommands, ...commands }).map(
      ([name, { summary }]) => `complete -c liminal -n __fish_use_subcommand -a ${name} -d ${JSON.stringify(summary)}`,
    ),
    ...Object.entries(commands).flatMap(([name, { options }]) => [
      ...Object.entries({ ...options, ...commonOptions }).map(
        ([option, { text, type }]) =>
          `complete -c liminal -n "__fish_seen_subcommand_from ${name}" -l ${option}${type === 'string' ? ' -r' : ''} -d ${JSON.stringify(text)}`,
      ),
      ...(takesSession(name)
        ? [`complete -c liminal -f -n "__fish_seen_subcommand_from ${name}" -a "(${sessions})"`]
        : []),
    ]),
  ].join('\n');

const scripts: Readonly<Record<string, () => string>> = { bash, zsh, fish };

/** Prints the completion script of a shell, generated from the table of commands. */
export const run: Run = async ({ terminal, args }) => {
  const script = scripts[args[0] ?? ''];
  if (script) {
    terminal.line(script());
    return exitCodes.done;
  }
  terminal.complain({ code: 'USAGE', message: `"${args[0]}" is none of ${Object.keys(scripts).join(', ')}.` });
  return exitCodes.usage;
};
