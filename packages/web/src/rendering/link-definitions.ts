import type { Tokens } from 'marked';

/** A reference, or what looks like one: `[text][name]`, `[name][]`, `[name]`. */
const reference = /\[([^[\]\\]{1,200})\]/g;

/** Names are the same whatever their case and spaces. */
export const labelOf = (written: string): string => written.trim().replace(/\s+/g, ' ').toLowerCase();

export function labelsIn(block: string): string[] {
  if (!block.includes(']')) return [];
  return Array.from(block.matchAll(reference), ([, written = '']) => labelOf(written));
}

/** `[name]: address`, which may stand anywhere in a text, as one line that gives any block the same link. */
export class LinkDefinitions {
  readonly #lines = new Map<string, string>();

  /** The first of a name is the one that counts. Says whether it is new. */
  add({ tag, href, title }: Tokens.Def): boolean {
    const label = labelOf(tag);
    if (this.#lines.has(label)) return false;
    const shown = title ? ` "${title.replaceAll('"', '\\"')}"` : '';
    this.#lines.set(label, `[${label}]: <${href.replaceAll(/[<>\n]/g, '')}>${shown}`);
    return true;
  }

  /** A block with what it refers to at its end, so it can be read on its own. */
  attachTo(block: string): string {
    if (this.#lines.size === 0) return block;
    const used = new Set(labelsIn(block).flatMap((label) => this.#lines.get(label) ?? []));
    return used.size === 0 ? block : `${block}\n\n${[...used].join('\n')}`;
  }
}
