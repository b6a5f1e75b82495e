/** The position in the user's earlier messages, and the recalled text. */
export type Recall = { readonly messages: readonly string[]; readonly index: number };

/**
 * One step back or forth. Starts only in an empty field, and continues only while the recalled text is unchanged:
 * otherwise arrow keys move the caret. Null if the key isn't handled.
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
