import katex from 'katex';
import 'katex/dist/katex.min.css';
import { cleanFormula } from './sanitize.ts';

/** A formula as elements, or a sentence about what is wrong with it. Loaded when the first one is met. */
export function drawFormula(tex: string, isDisplay: boolean): DocumentFragment | string {
  try {
    return cleanFormula(
      katex.renderToString(tex, {
        displayMode: isDisplay,
        output: 'htmlAndMathml',
        throwOnError: true,
        // Nothing that names an address, an id, a class or a style.
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
