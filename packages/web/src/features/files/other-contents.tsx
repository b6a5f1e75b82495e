import { use, useEffect, useState, type ReactNode } from 'react';
import type { FileReply } from '@liminal/contracts';
import { ImagesContext, type LoadedImage } from '../../rendering/rich/project-image.tsx';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/format.ts';
import { LoadFailed, LoadingRows } from '../../ui/list-state.tsx';

/** For a file that isn't a picture, or is too large, the size is more useful than the error. */
const isNoPicture = (code: string): boolean => code === 'NOT_SUPPORTED' || code === 'FILE_TOO_LARGE';

/** A file that isn't text: shows pictures, and the size of anything else. */
export function BinaryFile({ path, size }: { readonly path: string; readonly size: number }): ReactNode {
  const load = use(ImagesContext);
  const [picture, setPicture] = useState<LoadedImage | null>(null);
  const [tries, setTries] = useState(1);
  useEffect(() => {
    let isGone = false;
    void load?.(path).then((loaded) => {
      if (!isGone) setPicture(loaded);
    });
    return () => {
      isGone = true;
    };
  }, [load, path, tries]);
  if (picture?.ok === true)
    return (
      <figure className="files-picture">
        <img src={`data:${picture.value.mimeType};base64,${picture.value.data}`} alt={path} />
      </figure>
    );
  if (picture === null && load !== null)
    return (
      <div className="files-state">
        <LoadingRows label={`Reading ${path}…`} />
      </div>
    );
  if (picture !== null && !isNoPicture(picture.code))
    return (
      <div className="files-state">
        <LoadFailed
          title={`Couldn't show ${path}.`}
          message={picture.message}
          onRetry={() => setTries((count) => count + 1)}
        />
      </div>
    );
  return <p className="files-note files-empty">{`Binary file, ${formatBytes(size)}`}</p>;
}

const partLength = 1024 * 1024;

type FilePartsProps = { readonly read: FileReply; readonly onPart: (offset: number) => void };

/** Says which part of a large file is shown, and moves to other parts. */
export function FileParts({ read, onPart }: FilePartsProps): ReactNode {
  const { offset = 0, end = 0, size } = read;
  return (
    <div className="files-part" role="group" aria-label="Part of the file">
      <span className="files-part-text">{`${formatBytes(offset)} to ${formatBytes(end)} of ${formatBytes(size)}`}</span>
      <Button look="quiet" disabled={offset === 0} onClick={() => onPart(Math.max(0, offset - partLength))}>
        Previous part
      </Button>
      <Button look="quiet" disabled={end >= size} onClick={() => onPart(end)}>
        Next part
      </Button>
    </div>
  );
}
