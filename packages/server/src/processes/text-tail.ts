export type TextTail = { push(text: string): void; read(): string };

/** Keeps the last `limit` characters of a stream, so that an agent's last words cost bounded memory. */
export function createTextTail(limit: number): TextTail {
  let kept = '';
  return {
    push(text) {
      kept += text;
      // Cutting at twice the limit keeps the cost per character constant.
      if (kept.length > 2 * limit) kept = kept.slice(-limit);
    },
    read: () => (kept.length > limit ? kept.slice(-limit) : kept),
  };
}
