/** Messages between a bench and the processes it starts. */
export type Question = { readonly id: number; readonly ask: string; readonly args: unknown };
export type Answer = { readonly id: number; readonly result?: unknown; readonly error?: string };

/** Each handler knows its own arguments; the caller has to send the right ones. */
export type Handlers = Readonly<Record<string, (args: never) => unknown>>;

/** In a started process: answers its parent's questions, until the parent stops it or is gone. */
export function answerQuestions(handlers: Handlers): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.removeAllListeners('message');
      if (process.connected) process.disconnect();
      resolve();
    };
    process.on('disconnect', resolve);
    process.on('message', ({ id, ask, args }: Question) => {
      if (ask === 'stop') return stop();
      const handler = handlers[ask];
      Promise.resolve()
        .then(() => {
          if (!handler) throw new Error(`Nobody here answers "${ask}".`);
          return handler(args as never);
        })
        .then(
          (result) => process.send?.({ id, result } satisfies Answer),
          (error: unknown) => process.send?.({ id, error: String(error) } satisfies Answer),
        );
    });
    process.send?.({ id: 0 } satisfies Answer);
  });
}
