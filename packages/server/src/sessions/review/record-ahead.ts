import { setTimeout as wait } from 'node:timers/promises';
import type { Project } from '@liminal/contracts';
import type { Git, TakenSnapshot, WorkingTree } from '../../git/git.ts';

export type Recorded = { readonly tree: WorkingTree; readonly taken: TakenSnapshot };

export type RecordedAhead = {
  /** The record, if nothing has changed since. It can be taken once. */
  take(): Promise<Recorded | null>;
  /** Releases a record nobody needs. */
  stop(): void;
};

/** A user usually types for longer, and typing records the folder again. This is for messages sent immediately. */
const usualMs = 10_000;
/** Lets the agent's process start first. A moment later the agent would need every processor, so this isn't longer. */
const agentFirstMs = 3;

/** Records a folder while its agent starts, and watches it briefly, so a message sent immediately needn't wait. */
export function recordAhead(git: Git, { dir, trusted }: Project, keptMs = usualMs): RecordedAhead {
  let isStopped = false;
  let end = (): void => {};
  const stop = (): void => {
    isStopped = true;
    end();
  };
  const record = async () => {
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
  // A failure here happens again when the message is sent, and is reported then.
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
