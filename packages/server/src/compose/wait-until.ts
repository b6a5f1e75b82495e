/** Resolves when the condition holds or the time is up. */
export async function waitUntil(holds: () => boolean, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (!holds() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 25));
}
