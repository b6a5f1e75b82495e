/** A shell by its name or in the system's folders. A project may have a program named `bash`, which could do anything. */
const shellCall = /^(?:(?:\/usr(?:\/local)?)?\/bin\/|\/opt\/homebrew\/bin\/)?(?:ba|z|da|k)?sh\s+-l?i?c\s+([\s\S]+)$/;

/**
 * The command inside the shell call that Codex makes: `/bin/bash -lc 'echo hi'` reads as `echo hi`. Anything else stays
 * as it is.
 */
export function commandText(command: string): string {
  const [, quoted] = shellCall.exec(command) ?? [];
  if (quoted === undefined) return command;
  return unquoted(quoted.trim()) ?? command;
}

/** One shell word without its quotes; undefined if it isn't one word. */
function unquoted(word: string): string | undefined {
  let text = '';
  for (let at = 0; at < word.length;) {
    const mark = word[at];
    if (mark === "'") {
      const end = word.indexOf("'", at + 1);
      if (end === -1) return undefined;
      text += word.slice(at + 1, end);
      at = end + 1;
    } else if (mark === '"') {
      const [whole, inside = ''] = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(word.slice(at)) ?? [];
      if (whole === undefined) return undefined;
      text += inside.replace(/\\(["\\$`])/g, '$1');
      at += whole.length;
    } else if (mark === '\\') {
      text += word[at + 1] ?? '';
      at += 2;
    } else if (mark === undefined || /\s/.test(mark)) return undefined;
    else {
      text += mark;
      at += 1;
    }
  }
  return text;
}
