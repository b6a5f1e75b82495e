import { useState } from 'react';
import type { Image } from '@liminal/contracts';
import { useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { readImage } from './read-image.ts';

export type Attachments = {
  readonly images: readonly Image[];
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly remove: (image: Image) => void;
  readonly replace: (images: readonly Image[]) => void;
};

/** The images of the draft. Each file is checked, and what cannot be taken is said. */
export function useAttachments(taken: boolean, onRefused: (why: string) => void): Attachments {
  const { store, agentName } = useSession();
  const { drafts } = useWorkbench();
  const [images, setImages] = useState(() => drafts.images(store.sessionId));
  const replace = (next: readonly Image[]): void => {
    drafts.keepImages(store.sessionId, next);
    setImages(next);
  };
  return {
    images,
    replace,
    remove: (image) => replace(images.filter((other) => other !== image)),
    async add(files) {
      if (files.length === 0) return;
      if (!taken) return onRefused(`${agentName} doesn't accept images.`);
      let kept = drafts.images(store.sessionId);
      const refusals: string[] = [];
      for (const file of files) {
        const read = await readImage(file, kept);
        if (read.ok) kept = [...kept, read.image];
        else refusals.push(read.why);
      }
      replace(kept);
      onRefused(refusals.join(' '));
    },
  };
}
