import type { AppendedText } from '@liminal/contracts';

const maxSent = 64 * 1024;
const headLength = 16 * 1024;
const tailLength = maxSent - headLength;

export type ShortenedOutput = { readonly output: string; readonly wholeLength?: number };

/** A long output as readers receive it: its start and its end. The full output is stored and read on request. */
export const shortenOutput = (output: string): ShortenedOutput => createOutputShortener().take(output);

/** The same for an output that grows. Its cost depends on the added text only, not on the length of the output. */
export type OutputShortener = {
  /** Takes the newest output. `grown` is what was added to the previous one, if nothing else changed. */
  take(output: string, grown?: AppendedText): ShortenedOutput;
};

/**
 * Slicing a growing text copies all of it, because the engine keeps it as a tree of pieces. So start and end are sliced
 * once, and afterwards only the added text extends the end.
 */
export function createOutputShortener(): OutputShortener {
  let whole = '';
  let head = '';
  let tail = '';

  const follows = (output: string, { appendedFrom, text }: AppendedText): boolean =>
    head !== '' && appendedFrom === whole.length && appendedFrom + text.length === output.length;

  return {
    take(output, grown) {
      if (output.length <= maxSent) {
        whole = output;
        head = '';
        return { output };
      }
      if (grown && follows(output, grown)) {
        tail = (tail + grown.text).slice(-tailLength);
      } else if (head === '' || output !== whole) {
        head = output.slice(0, headLength).toWellFormed();
        tail = output.slice(-tailLength);
      }
      whole = output;
      const left = output.length - maxSent;
      return {
        output: `${head}\n… ${left} characters left out …\n${tail.toWellFormed()}`,
        wholeLength: output.length,
      };
    },
  };
}
