import { useMemo, type ReactNode } from 'react';
import type { PermissionRequest } from '@liminal/contracts';
import { Diffs } from '../../rendering/diff/diffs.tsx';
import { LongText } from '../../rendering/long-text.tsx';
import { Markdown } from '../../rendering/markdown.tsx';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';
import { useSession } from '../../state/sessions/use-session.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { askedOf, type AskedValue } from './asked.ts';

/** Everything the person is asked to approve, always in the same order; what is long is folded, nothing is left out. */
export function WhatIsAsked({ request }: { readonly request: PermissionRequest }): ReactNode {
  const { projectDir } = useSession();
  const { description, command, purpose, plan, diffs, values } = useMemo(() => askedOf(request), [request]);
  return (
    <>
      {description !== undefined && <p dir="auto">{showControls(description)}</p>}
      {command !== undefined && (
        <pre className="asked-command" dir="ltr" tabIndex={0}>
          <LongText text={showHidden(command)} />
        </pre>
      )}
      {purpose !== undefined && (
        <p className="muted" dir="auto">
          {showControls(purpose)}
        </p>
      )}
      {plan !== undefined && <Markdown text={plan} />}
      <Diffs diffs={diffs} projectDir={projectDir} limit={Infinity} />
      {values.length > 0 && (
        <dl className="asked-values">
          {values.map((value, index) => (
            <div key={index}>
              <dt>{showHidden(value.name)}</dt>
              <dd dir="auto">
                {value.isFolded ? <Folded value={value} /> : <LongText text={showHidden(value.text)} />}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function Folded({ value: { text } }: { readonly value: AskedValue }): ReactNode {
  const lines = text.split('\n').length;
  return (
    <details className="asked-fold">
      <summary>{`${plural(lines, 'line')}, ${formatCount(text.length)} characters`}</summary>
      <LongText text={showHidden(text)} />
    </details>
  );
}
