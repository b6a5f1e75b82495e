/**
 * Runs a task at the next animation frame. A hidden page gets no frames, and its title and favicon must still follow,
 * so a timer stands in for the frame there, and also when the page is hidden while it waits for one.
 */
export function nextFrame(task: () => void): void {
  let done = false;
  const run = (): void => {
    if (done) return;
    done = true;
    task();
  };
  if (document.visibilityState === 'visible') requestAnimationFrame(run);
  setTimeout(run, 250);
}
