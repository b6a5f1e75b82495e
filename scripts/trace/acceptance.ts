/** One line of docs/acceptance.md. */
export type AcceptanceCase = { id: string; words: string; milestone: number };

export type Acceptance = { claimedThrough: number; cases: AcceptanceCase[] };

const idShape = /^(?:TC-\d+\.\d+[a-z]?|(?:NFR|PM|MM|BR|G|RV|CP|WT|CM|FL|TM|IN|CL|CX|PK)-\d+)$/;
const row = /^\|\s*((?:TC|NFR|PM|MM|BR|G|RV|CP|WT|CM|FL|TM|IN|CL|CX|PK)-[^|]*?)\s*\|\s*(.*?)\s*\|\s*(\S*)\s*\|\s*$/;

/** Reads docs/acceptance.md. Throws an error that explains an invalid line. */
export function parseAcceptance(markdown: string): Acceptance {
  const claimed = /^Claimed through milestone: (\d+)$/m.exec(markdown);
  if (claimed === null) throw new Error('docs/acceptance.md has no line "Claimed through milestone: N".');
  const cases = new Map<string, AcceptanceCase>();
  for (const line of markdown.split('\n')) {
    const [, id, words, milestone] = row.exec(line) ?? [];
    if (id === undefined || words === undefined) continue;
    if (!idShape.test(id)) throw new Error(`docs/acceptance.md: "${id}" is not an id.`);
    if (cases.has(id)) throw new Error(`docs/acceptance.md: ${id} is listed twice.`);
    if (!/^[1-9]\d?$/.test(milestone ?? ''))
      throw new Error(`docs/acceptance.md: ${id} has no milestone from 1 to 99.`);
    cases.set(id, { id, words, milestone: Number(milestone) });
  }
  return { claimedThrough: Number(claimed[1]), cases: [...cases.values()] };
}
