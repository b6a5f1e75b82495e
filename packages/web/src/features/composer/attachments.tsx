import { useRef, type ReactNode } from 'react';
import type { Image } from '@liminal/contracts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { imageTypes } from './read-image.ts';
import './attachments.css';

type AttachmentListProps = { readonly images: readonly Image[]; readonly onRemove: (image: Image) => void };

/** Thumbnails of the message's images, each with a button to remove it. */
export function AttachmentList({ images, onRemove }: AttachmentListProps): ReactNode {
  if (images.length === 0) return null;
  return (
    <ul className="attachments" aria-label="Attached images">
      {images.map((image, index) => (
        <li key={index} className="attachment">
          <img src={`data:${image.mimeType};base64,${image.data}`} alt={image.name ?? `Image ${index + 1}`} />
          <IconButton label={`Remove ${image.name ?? `image ${index + 1}`}`} onClick={() => onRemove(image)}>
            <Icon name="close" size={12} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** Opens the file picker. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={imageTypes}
        aria-label="Choose images"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button
        look="quiet"
        className="attach-button"
        aria-label="Attach images"
        title="Attach images (or paste or drop them)"
        onClick={() => input.current?.click()}
      >
        <Icon name="add" />
      </Button>
    </>
  );
}
