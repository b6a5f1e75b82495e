const mostTold = 64 * 1024;
const headTold = 16 * 1024;

/** A long output as readers are told it: its beginning and its end. The whole of it is kept and read on request. */
export function shortenOutput(output: string): { readonly output: string; readonly wholeLength?: number } {
  if (output.length <= mostTold) return { output };
  const head = output.slice(0, headTold).toWellFormed();
  const tail = output.slice(headTold - mostTold).toWellFormed();
  const left = output.length - mostTold;
  return { output: `${head}\n… ${left} characters left out …\n${tail}`, wholeLength: output.length };
}
