import { use, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { CodeBlock, GrowingContext } from '../code/code-block.tsx';
import type { drawFormula } from './draw-formula.ts';
import { SourceSwitch } from './source-switch.tsx';
import { useEdgeFade } from './use-edge-fade.ts';
import './rich.css';

type Draw = typeof drawFormula;
type FormulaProps = { readonly tex: string };

const longest = 3000;
let loaded: Draw | undefined;
const load = async (): Promise<Draw> => (loaded ??= (await import('./draw-formula.ts')).drawFormula);

/** A rendered formula: elements, or its error; null until the library has loaded. */
function useDrawn(tex: string, isDisplay: boolean): DocumentFragment | string | null {
  const isGrowing = use(GrowingContext);
  const [isLoaded, setIsLoaded] = useState(loaded !== undefined);
  const isWanted = !isGrowing && tex.length <= longest;
  useEffect(() => {
    if (!isWanted || isLoaded) return undefined;
    let isGone = false;
    // If the library can't be loaded, the source stays, and the next formula tries again.
    load().then(
      () => isGone || setIsLoaded(true),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [isWanted, isLoaded]);
  return useMemo(
    () => (isWanted && isLoaded && loaded !== undefined ? loaded(tex, isDisplay) : null),
    [isWanted, isLoaded, tex, isDisplay],
  );
}

const Drawn = ({ drawn, tex, isDisplay }: { drawn: DocumentFragment; tex: string; isDisplay: boolean }): ReactNode => {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(drawn.cloneNode(true)), [drawn]);
  return <span ref={place} className={isDisplay ? 'formula formula-display' : 'formula'} title={showHidden(tex)} />;
};

/** An inline formula; its source if it can't be drawn or is still being written. */
export function InlineFormula({ tex }: FormulaProps): ReactNode {
  const drawn = useDrawn(tex, false);
  if (drawn instanceof DocumentFragment) return <Drawn drawn={drawn} tex={tex} isDisplay={false} />;
  return <code title={drawn ?? undefined}>{showHidden(tex)}</code>;
}

/** A display formula within a paragraph or a list. */
export function DisplayFormula({ tex }: FormulaProps): ReactNode {
  const drawn = useDrawn(tex, true);
  if (drawn instanceof DocumentFragment) return <Drawn drawn={drawn} tex={tex} isDisplay />;
  return <code title={drawn ?? undefined}>{showHidden(tex)}</code>;
}

/** A formula in its own block, with a switch to its source. */
export function FormulaBlock({ tex }: FormulaProps): ReactNode {
  const drawn = useDrawn(tex, true);
  const [isSource, setIsSource] = useState(false);
  const scroller = useEdgeFade<HTMLDivElement>();
  if (!(drawn instanceof DocumentFragment))
    return (
      <CodeBlock code={tex} language="tex" note={drawn === null ? undefined : `Can't draw this formula. ${drawn}`} />
    );
  const toggle = <SourceSwitch what="formula" isSource={isSource} onChange={setIsSource} />;
  if (isSource) return <CodeBlock code={tex} language="tex" actions={toggle} />;
  return (
    <div className="formula-block">
      {/* A wide formula scrolls by itself, so it has to be reachable by keyboard. */}
      <div ref={scroller} className="formula-scroller edge-fade" tabIndex={0} role="group" aria-label="Formula">
        <Drawn drawn={drawn} tex={tex} isDisplay />
      </div>
      {toggle}
    </div>
  );
}
