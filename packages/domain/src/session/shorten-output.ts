import type { AppendedText } from '@liminal/contracts';

const mostTold = 64 * 1024;
const headTold = 16 * 1024;
const tailTold = mostTold - headTold;

export type ShortenedOutput = { readonly output: string; readonly wholeLength?: number };

/** A long output as readers receive it: its beginning and its end. The whole of it is kept and read on request. */
export const shortenOutput = (output: string): ShortenedOutput => createOutputShortener().take(output);

/** The same for an output that grows: what is added costs what was added, however long the output has become. */
export type OutputShortener = {
  /** Takes the newest output. `grown` says what was added to the one before, if that is all that happened to it. */
  take(output: string, grown?: AppendedText): ShortenedOutput;
};

/**
 * To slice a growing text is to copy all of it, because the engine keeps it as a tree of its pieces. So beginning and
 * end are taken from it once, and after that the end grows by what was added.
 */
export function createOutputShortener(): OutputShortener {
  let whole = '';
  let head = '';
  let tail = '';

  const follows = (output: string, { appendedFrom, text }: AppendedText): boolean =>
    head !== '' && appendedFrom === whole.length && appendedFrom + text.length === output.length;

  return {
    take(output, grown) {
      if (output.length <= mostTold) {
        whole = output;
        head = '';
        return { output };
      }
      if (grown && follows(output, grown)) {
        tail = (tail + grown.text).slice(-tailTold);
      } else if (head === '' || output !== whole) {
        head = output.slice(0, headTold).toWellFormed();
        tail = output.slice(-tailTold);
      }
      whole = output;
      const left = output.length - mostTold;
      return {
        output: `${head}\n… ${left} characters left out …\n${tail.toWellFormed()}`,
        wholeLength: output.length,
      };
    },
  };
}
