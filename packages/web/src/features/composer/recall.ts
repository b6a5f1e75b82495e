/** A walk through the user's earlier messages: its position, and what it showed. */
export type Recall = { readonly messages: readonly string[]; readonly index: number };

/**
 * One step back or forth. Begins in an empty field only, and continues only while what was brought back is unchanged:
 * arrow keys belong to the text one is writing. Null when the key is not for this.
 */
export function recallStep(
  recall: Recall | null,
  text: string,
  direction: 'older' | 'newer',
  readMessages: () => readonly string[],
): { recall: Recall | null; text: string } | null {
  if (recall === null || recall.messages[recall.index] !== text) {
    if (text !== '' || direction === 'newer') return null;
    const messages = readMessages();
    const last = messages.at(-1);
    return last === undefined ? null : { recall: { messages, index: messages.length - 1 }, text: last };
  }
  const index = recall.index + (direction === 'older' ? -1 : 1);
  if (index >= recall.messages.length) return { recall: null, text: '' };
  const next = recall.messages[Math.max(0, index)] ?? '';
  return { recall: { ...recall, index: Math.max(0, index) }, text: next };
}
