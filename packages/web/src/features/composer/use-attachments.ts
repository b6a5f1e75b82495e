import type { Image } from '@liminal/contracts';
import { useIsMounted } from '../../state/base/use-is-mounted.ts';
import { useDraftImages } from '../../state/sessions/use-draft.ts';
import { useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { formatBytes } from '../../ui/format.ts';
import { base64, imageTypeOf, imageTypes, readImage } from './read-image.ts';

export type Attachments = {
  readonly images: readonly Image[];
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly remove: (image: Image) => void;
  readonly replace: (images: readonly Image[]) => void;
};

const largestFile = 20 * 1024 * 1024;

/** The file name for a text that was too long for the message. */
export const pastedName = 'pasted.txt';

/**
 * The attachments of the draft: images if the agent accepts them. Any other file is written to a scratch folder on the
 * server's machine, and the message mentions it.
 */
export function useAttachments(
  takesImages: boolean,
  onRefused: (why: string) => void,
  onNamed: (text: string) => void,
): Attachments {
  const { store, projectId } = useSession();
  const { api, drafts, failures } = useWorkbench();
  const { sessionId } = store;
  const images = useDraftImages(sessionId);
  const replace = (next: readonly Image[]): void => drafts.keepImages(sessionId, next);
  const isMounted = useIsMounted();
  /** Why it can't be attached; null once the message mentions it. */
  const writeFile = async (file: File, bytes: Uint8Array): Promise<string | null> => {
    if (file.size > largestFile) return `${file.name} is ${formatBytes(file.size)}. The limit is 20 MB.`;
    const written = await api.file.attach(projectId, { name: file.name, data: base64(bytes) });
    if (!written.ok) return written.failure.message;
    const { path, size } = written.value;
    onNamed(`${file.name === pastedName ? 'Pasted text' : 'Attached file'} (${formatBytes(size)}): \`${path}\``);
    return null;
  };
  return {
    images,
    replace,
    remove: (image) => replace(drafts.images(sessionId).filter((other) => other !== image)),
    add: async (files) =>
      drafts.attach(sessionId, async () => {
        const refusals: string[] = [];
        for (const file of files) {
          const bytes = file.size > largestFile ? new Uint8Array() : new Uint8Array(await file.arrayBuffer());
          const isImage = imageTypeOf(bytes) !== null || imageTypes.split(',').includes(file.type);
          const read = takesImages && isImage ? await readImage(file, drafts.images(sessionId)) : null;
          // While it was read, the user may have attached others, removed some or sent the message.
          if (read?.ok === true) replace([...drafts.images(sessionId), read.image]);
          const why = read === null ? await writeFile(file, bytes) : read.ok ? null : read.why;
          if (why !== null) refusals.push(why);
        }
        const why = refusals.join(' ');
        if (isMounted()) onRefused(why);
        // The user went on to another tab, and sees only this there.
        else if (why !== '') failures.report("Couldn't attach a file.", { code: 'INVALID_REQUEST', message: why });
      }),
  };
}
