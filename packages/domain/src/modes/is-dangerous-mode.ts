import type { Choice } from '@liminal/contracts';

/** Words by which agents call a mode in which nobody is asked any more. */
const words =
  /bypass|full[\s_-]*access|yolo|danger|unrestricted|no[\s_-]*sandbox|(?:allow|approve)[\s_-]*(?:all|everything)|skip[\s_-]*(?:all[\s_-]*)?permissions?/i;

/** Does this mode let the agent do anything without asking? Told by its id and name, which are the agent's own. */
export const isDangerousMode = ({ id, name }: Pick<Choice, 'id'> & { readonly name?: string | undefined }): boolean =>
  words.test(id) || (name !== undefined && words.test(name));

/** What choosing such a mode means, for a person who is about to. */
export const dangerOf = (mode: Pick<Choice, 'id'> & { readonly name?: string | undefined }, agent: string): string =>
  `In the mode "${mode.name ?? mode.id}" ${agent} runs commands, changes and deletes files and uses the network without asking you, also outside of this folder.`;
