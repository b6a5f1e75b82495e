import type { Tokens } from 'marked';

/** A reference, or something like one: `[text][name]`, `[name][]`, `[name]`. */
const reference = /\[([^[\]\\]{1,200})\]/g;

/** Names match regardless of case and spaces. */
export const labelOf = (written: string): string => written.trim().replace(/\s+/g, ' ').toLowerCase();

export function labelsIn(block: string): string[] {
  if (!block.includes(']')) return [];
  return Array.from(block.matchAll(reference), ([, written = '']) => labelOf(written));
}

/** `[name]: address`, from anywhere in a text, as one line that defines the same link in any block. */
export class LinkDefinitions {
  readonly #lines = new Map<string, string>();

  /** The first definition of a name counts. Returns whether it is new. */
  add({ tag, href, title }: Tokens.Def): boolean {
    const label = labelOf(tag);
    if (this.#lines.has(label)) return false;
    const shown = title ? ` "${title.replaceAll('"', '\\"')}"` : '';
    this.#lines.set(label, `[${label}]: <${href.replaceAll(/[<>\n]/g, '')}>${shown}`);
    return true;
  }

  /** A block with the definitions it refers to, so it can be parsed on its own. */
  attachTo(block: string): string {
    if (this.#lines.size === 0) return block;
    const used = new Set(labelsIn(block).flatMap((label) => this.#lines.get(label) ?? []));
    return used.size === 0 ? block : `${block}\n\n${[...used].join('\n')}`;
  }
}
