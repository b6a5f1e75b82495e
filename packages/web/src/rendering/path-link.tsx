import { createContext, use, type ReactNode } from 'react';
import { filePlacesIn, type NamedPlace, readFilePlace } from '@liminal/domain/text/file-places';

/** Opens a file of the project at a line. */
export type OpenPath = (place: NamedPlace) => void;

/** Null if no file can be opened. */
export const PathContext = createContext<OpenPath | null>(null);

/** Links a text that is a file place; any other stays plain. */
export function PathLink({ text, children }: { readonly text: string; readonly children: ReactNode }): ReactNode {
  const open = use(PathContext);
  const place = open === null ? null : readFilePlace(text);
  if (open === null || place === null) return children;
  return <PlaceButton onOpen={() => open(place)}>{children}</PlaceButton>;
}

/** A text in which every `path:line` is a link; in a user's text, mentions are too. */
export function PathText({
  text,
  mentions = false,
}: {
  readonly text: string;
  readonly mentions?: boolean;
}): ReactNode {
  const open = use(PathContext);
  const places = open === null ? [] : filePlacesIn(text, { mentions });
  if (open === null || places.length === 0) return text;
  return (
    <>
      {places.map((place, index) => (
        <span key={place.start}>
          {text.slice(places[index - 1]?.end ?? 0, place.start)}
          <PlaceButton onOpen={() => open(place)}>{text.slice(place.start, place.end)}</PlaceButton>
        </span>
      ))}
      {text.slice(places.at(-1)?.end)}
    </>
  );
}

/** Not a `<button>`, because a line may break before one and separate it from a bracket or comma. */
function PlaceButton({ onOpen, children }: { readonly onOpen: () => void; readonly children: ReactNode }): ReactNode {
  return (
    <span
      role="button"
      tabIndex={0}
      className="link-button path-link"
      onClick={onOpen}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onOpen();
      }}
    >
      {children}
    </span>
  );
}
