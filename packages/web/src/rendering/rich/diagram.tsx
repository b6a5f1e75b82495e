import { use, useEffect, useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CodeBlock, GrowingContext } from '../code/code-block.tsx';
import { readColours, useThemeKey } from './diagram-colours.ts';
import type { DrawnDiagram } from './draw-diagram.ts';
import { prepareDiagram } from './prepare-diagram.ts';
import { SourceSwitch } from './source-switch.tsx';
import { useEdgeFade } from './use-edge-fade.ts';
import './rich.css';

/** Recently drawn diagrams: a row that is scrolled back into view shows its diagram at once. */
const kept = new Map<string, Promise<DrawnDiagram>>();
const mostKept = 40;

function draw(key: string, source: string): Promise<DrawnDiagram> {
  const drawn =
    kept.get(key) ?? import('./draw-diagram.ts').then(({ drawDiagram }) => drawDiagram(source, readColours()));
  kept.delete(key);
  kept.set(key, drawn);
  // If the library couldn't be loaded, the next attempt tries again.
  drawn.catch(() => kept.delete(key));
  if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
  return drawn;
}

type State = { readonly key: string; readonly diagram: DrawnDiagram | null; readonly fault: string | null };

/** A diagram as an image; its source if it can't be drawn or is still being written. */
export function Diagram({ source }: { readonly source: string }): ReactNode {
  const isGrowing = use(GrowingContext);
  const prepared = useMemo(() => (isGrowing ? null : prepareDiagram(source)), [isGrowing, source]);
  const key = `${useThemeKey()}\n${source}`;
  const [state, setState] = useState<State | null>(null);
  const [isSource, setIsSource] = useState(false);
  useEffect(() => {
    if (prepared === null) return undefined;
    let isGone = false;
    draw(key, prepared).then(
      (diagram) => isGone || setState({ key, diagram, fault: null }),
      (error: unknown) => isGone || setState({ key, diagram: null, fault: faultIn(error) }),
    );
    return () => {
      isGone = true;
    };
  }, [key, prepared]);
  const toggle = <SourceSwitch what="diagram" isSource={isSource} onChange={setIsSource} />;
  const { diagram = null, fault = null } = state ?? {};
  if (diagram === null || prepared === null) {
    const note =
      isGrowing || (prepared !== null && fault === null) ? undefined : `Can't draw this diagram. ${fault ?? unsafe}`;
    return <CodeBlock code={source} language="mermaid" note={note} />;
  }
  if (isSource) return <CodeBlock code={source} language="mermaid" actions={toggle} />;
  return <Drawing diagram={diagram} source={source} toggle={toggle} />;
}

const unsafe = 'It is too large, or it would load something.';
const longestFault = 200;
const faultIn = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join('').slice(0, longestFault);

/** Labels are drawn at 13 px. Below 12 px they are hard to read, so the diagram scrolls instead. */
const leastScale = 0.93;

/** The padding and borders on both sides. */
const frame = 26;

type DrawingProps = { readonly diagram: DrawnDiagram; readonly source: string; readonly toggle: ReactNode };

function Drawing({ diagram: { svg, width, height }, source, toggle }: DrawingProps): ReactNode {
  const scroller = useEdgeFade<HTMLDivElement>();
  const picture = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => {
    const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    if (picture.current !== null) picture.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [svg]);
  return (
    <figure className="code-block diagram" style={{ '--diagram-width': `${width + frame}px` } as CSSProperties}>
      <figcaption className="code-block-head">
        <span>Diagram</span>
        <span className="code-block-actions">
          {toggle}
          <CopyButton text={() => source} label="Copy source" />
        </span>
      </figcaption>
      <div ref={scroller} className="diagram-scroller edge-fade" tabIndex={0} role="group" aria-label="Diagram">
        <img
          ref={picture}
          className="diagram-picture"
          alt={altOf(source)}
          width={width}
          height={height}
          style={{ minWidth: Math.round(width * leastScale) }}
        />
      </div>
    </figure>
  );
}

/** The type of a diagram, by its first word. */
const altOf = (source: string): string => {
  const kind = /^\s*(?:---[^]*?---\s*|%%[^\n]*\n\s*)*([A-Za-z]+)/.exec(source)?.[1] ?? '';
  return `Diagram${kind === '' ? '' : ` (${kind})`}. The source describes it.`;
};
