/** The longest that the two clicks of a double-click are apart. */
const doubleClickMs = 600;

/** Whether this request may be answered now. Counts it as answered if so. */
export type AnswerGuard = (requestId: string) => boolean;

/**
 * Refuses an answer right after the answer to another request: the next request appears in the same place, where the
 * second click of a double-click would answer it unseen.
 */
export function createAnswerGuard(): AnswerGuard {
  let answered: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (requestId) => {
    if (answered !== null && answered !== requestId) return false;
    answered = requestId;
    clearTimeout(timer);
    timer = setTimeout(() => {
      answered = null;
    }, doubleClickMs);
    return true;
  };
}
