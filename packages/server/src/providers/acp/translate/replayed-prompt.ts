/** The meaning of a replayed message with role user: not all of them come from the user. */
export type ReplayedPrompt =
  | { readonly kind: 'prompt'; readonly text: string }
  /** A command the agent runs by itself; a turn only if it answers. */
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'nothing' };

const interruptions = /^\[Request interrupted by user( for tool use)?\]$/;
const outputs = /^<(local-command-stdout|local-command-stderr|local-command-caveat|system-reminder)>/;

/** Reads the marks that adapters of Claude Code add when replaying its record. */
export function readReplayedPrompt(text: string): ReplayedPrompt {
  const trimmed = text.trim();
  if (interruptions.test(trimmed)) return { kind: 'interrupted' };
  if (outputs.test(trimmed)) return { kind: 'nothing' };
  const command = trimmed.startsWith('<command-') ? marked(trimmed, 'command-name') : undefined;
  if (command === undefined) return { kind: 'prompt', text };
  return { kind: 'command', text: `${command} ${marked(trimmed, 'command-args') ?? ''}`.trim() };
}

function marked(text: string, mark: string): string | undefined {
  const [, inside] = new RegExp(`<${mark}>([\\s\\S]*?)</${mark}>`).exec(text) ?? [];
  return inside?.trim();
}
