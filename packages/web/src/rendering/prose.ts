/** One line of letters, digits and everyday punctuation that begins with a letter: no character of it can be markup. */
const plainText = /^\p{L}[\p{L}\p{N} ,.;:?!'"()/%…–—‘’“”，。、；：？！（）「」-]*\n*$/u;
/** What becomes a link by itself. */
const address = /:\/\/|www\.|mailto:|xmpp:/i;

/** Whether a block is nothing but a paragraph of words. It may say no where it is, never yes where it is not. */
export const isProse = (block: string): boolean => plainText.test(block) && !address.test(block);
