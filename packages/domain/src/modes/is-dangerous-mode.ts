import type { Choice } from '@liminal/contracts';

/** A mode as the agent describes it; before a session exists, often only its id is known. */
export type DescribedMode = Pick<Choice, 'id'> & {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
};

/** How agents name a mode without permission requests. */
const inNames =
  /bypass|full[\s_-]*access|yolo|danger|unrestricted|no[\s_-]*sandbox|(?:allow|approve)[\s_-]*(?:all|everything)|skip[\s_-]*(?:all[\s_-]*)?permissions?/i;

/** How agents describe such a mode, whatever its name. */
const inDescriptions = [
  /\bwithout\s+(?:\w+\s+){0,4}?(?:asking|approvals?|confirmations?|confirming|permissions?|prompts?|prompting|consent)\b/i,
  /(?:\b(?:never|not|no longer)|n['’]t)\s+(?:\w+\s+){0,2}?(?:ask|prompt|confirm)(?:s|ed)?\b/i,
  /\bno\s+(?:\w+\s+){0,2}?(?:approvals?|confirmations?|prompts?|restrictions?|sandbox)\b/i,
  /\b(?:bypass|skip|disabl|ignor)\w*\s+(?:\w+\s+){0,3}?(?:permissions?|approvals?|checks?|confirmations?|prompts?|sandbox)\b/i,
  /\b(?:approv|accept|allow|execut|run)\w*\s+(?:all|every|any)(?:thing\b|\s+(?:tool|command|action|call|request|operation)s?\b)/i,
  /\bfull\s+(?:\w+\s+)?access\b|\bunrestricted\b|\byolo\b/i,
];

/** The mode still asks for some things, or refuses what isn't allowed. */
const stillAsks =
  /(?<!(?:never|not|no longer|n['’]t)\s)\b(?:asks?|prompts?)\s+(?:you\s+)?(?:before|for|first|when)\b|\bapprovals?\s+(?:is|are)\s+(?:still\s+)?(?:required|needed)\b|\brequires?\s+(?:your\s+)?approval\b|\b(?:den(?:y|ies|ied)|refuses?|rejects?)\b/i;

/** Whether a mode lets the agent do anything without asking, judged by its id, name and description. */
export function isDangerousMode({ id, name = '', description = '' }: DescribedMode): boolean {
  if (inNames.test(id) || inNames.test(name)) return true;
  return inDescriptions.some((pattern) => pattern.test(description)) && !stillAsks.test(description);
}

/** What choosing such a mode means, for the confirmation. */
export const dangerOf = (mode: DescribedMode, agent: string): string =>
  `In the mode "${mode.name ?? mode.id}", ${agent} runs commands, changes and deletes files and uses the network without asking, even outside this folder.`;
