import { createContext, use, useState, type ReactNode } from 'react';
import type { ImageFile } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import './rich.css';

export type LoadedImage =
  | { readonly ok: true; readonly value: ImageFile }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Reads an image in the text's folder; null if there is none. */
export const ImagesContext = createContext<((path: string) => Promise<LoadedImage>) | null>(null);

type State =
  | { readonly phase: 'closed' | 'loading' }
  | { readonly phase: 'shown'; readonly image: ImageFile }
  | { readonly phase: 'failed'; readonly message: string };

const decoded = (src: string): string => {
  try {
    return decodeURI(src);
  } catch {
    return src;
  }
};

/** An image in the project. It loads when the user asks for it, never by itself. */
export function ProjectImage({ src, alt }: { readonly src: string; readonly alt: string }): ReactNode {
  const load = use(ImagesContext);
  const [state, setState] = useState<State>({ phase: 'closed' });
  const path = decoded(src).replace(/[?#].*$/, '');
  const name = showHidden(alt === '' ? path : alt);
  if (load === null) return <span className="markdown-image">{`Image: ${name}`}</span>;
  const isOpen = state.phase === 'shown';
  const toggle = async (): Promise<void> => {
    if (isOpen) return setState({ phase: 'closed' });
    setState({ phase: 'loading' });
    const loaded = await load(path);
    setState(loaded.ok ? { phase: 'shown', image: loaded.value } : { phase: 'failed', message: loaded.message });
  };
  return (
    <span className="project-image">
      <Button look="quiet" aria-expanded={isOpen} title={showHidden(path)} onClick={() => void toggle()}>
        <Icon name="image" size={14} />
        {isOpen ? `Hide ${name}` : `Show image: ${name}`}
      </Button>
      {state.phase === 'failed' && <span className="project-image-fault">{state.message}</span>}
      {state.phase === 'shown' && (
        <img src={`data:${state.image.mimeType};base64,${state.image.data}`} alt={alt === '' ? path : alt} />
      )}
    </span>
  );
}
