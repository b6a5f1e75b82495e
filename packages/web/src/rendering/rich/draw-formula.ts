import katex from 'katex';
import 'katex/dist/katex.min.css';
import { cleanFormula } from './sanitize.ts';

/** A formula as elements, or a sentence about its error. Loaded with the first formula. */
export function drawFormula(tex: string, isDisplay: boolean): DocumentFragment | string {
  try {
    return cleanFormula(
      katex.renderToString(tex, {
        displayMode: isDisplay,
        output: 'htmlAndMathml',
        throwOnError: true,
        // Nothing that contains a URL, an id, a class or a style.
        trust: false,
        strict: 'ignore',
        maxSize: 12,
        maxExpand: 300,
      }),
    );
  } catch (error) {
    return error instanceof katex.ParseError ? error.message.replace(/^KaTeX parse error: /, '') : 'It is too complex.';
  }
}
