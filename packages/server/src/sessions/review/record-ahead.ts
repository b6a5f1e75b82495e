import { setTimeout as wait } from 'node:timers/promises';
import type { Project } from '@liminal/contracts';
import type { Git, TakenSnapshot, WorkingTree } from '../../git/git.ts';

export type Recorded = { readonly tree: WorkingTree; readonly taken: TakenSnapshot };

export type RecordedAhead = {
  /** The record, if nothing changed since. It is used once. */
  take(): Promise<Recorded | null>;
  /** Nobody wants it any more. */
  stop(): void;
};

/** A user writes for longer, and writing records the folder again. This is for those who send at once. */
const usualMs = 10_000;
const agentFirstMs = 15;

/** Records a folder while its agent starts, and watches it for a moment: a message sent at once need not wait for it. */
export function recordAhead(git: Git, { dir, trusted }: Project, keptMs = usualMs): RecordedAhead {
  let isStopped = false;
  let end = (): void => {};
  const stop = (): void => {
    isStopped = true;
    end();
  };
  const record = async () => {
    // The agent's process is started first: it takes far longer to be ready than this.
    await wait(agentFirstMs, undefined, { ref: false });
    const opened = trusted && !isStopped ? await git.open(dir) : null;
    if (opened?.ok !== true || isStopped) return null;
    const tree = opened.value;
    const watch = tree.watch(() => {});
    const timer = setTimeout(stop, keptMs).unref();
    end = () => {
      clearTimeout(timer);
      watch.stop();
    };
    await watch.ready;
    const mark = await watch.mark();
    const taken = mark === null ? null : await tree.take();
    return taken?.ok === true ? { tree, taken: taken.value, watch, mark } : null;
  };
  // What went wrong goes wrong again when the message is sent, and is reported then.
  const recorded = record().catch(() => null);
  return {
    async take() {
      const found = await recorded;
      if (found === null || isStopped) return null;
      const isSame = (await found.watch.mark()) === found.mark;
      stop();
      return isSame ? { tree: found.tree, taken: found.taken } : null;
    },
    stop,
  };
}
