import { useMemo, type ReactNode } from 'react';
import type { PermissionRequest } from '@liminal/contracts';
import { Diffs } from '../../rendering/diff/diffs.tsx';
import { LongText } from '../../rendering/long-text.tsx';
import { Markdown } from '../../rendering/markdown.tsx';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';
import { useSession } from '../../state/sessions/use-session.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { askedOf, type AskedValue } from './asked.ts';
import { isToolSaid } from './request-title.ts';

const valueNames: Record<string, string> = {
  cwd: 'Folder',
  directory: 'Folder',
  file_path: 'File',
  notebook_path: 'File',
  path: 'Path',
  timeout: 'Timeout',
  tool: 'Tool',
  url: 'Address',
  workdir: 'Folder',
};

/**
 * Everything the user is asked to approve, always in the same order. Long values are collapsed, nothing is left out.
 */
export function WhatIsAsked({ request }: { readonly request: PermissionRequest }): ReactNode {
  const { agentName, projectDir } = useSession();
  const { says, command, plan, diffs, values } = useMemo(() => askedOf(request, isToolSaid(request)), [request]);
  return (
    <>
      {command !== undefined && (
        <pre className="asked-command" dir="ltr" tabIndex={0}>
          <LongText text={showHidden(command)} />
        </pre>
      )}
      {plan !== undefined && <Markdown text={plan} />}
      <Diffs diffs={diffs} projectDir={projectDir} limit={Infinity} isNamed />
      {values.length + says.length > 0 && (
        <dl className="asked-values">
          {values.map((value, index) => (
            <div key={index}>
              <dt>{showHidden(valueNames[value.name] ?? value.name)}</dt>
              <dd dir="auto">
                {value.isCollapsed ? <Collapsed value={value} /> : <LongText text={showHidden(value.text)} />}
              </dd>
            </div>
          ))}
          {says.map((text, index) => (
            <div key={`says-${index}`}>
              <dt>{`${agentName} says`}</dt>
              <dd className="asked-says" dir="auto">
                {showControls(text)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function Collapsed({ value: { text } }: { readonly value: AskedValue }): ReactNode {
  const lines = text.split('\n').length;
  return (
    <details className="asked-collapsed">
      <summary>{`${plural(lines, 'line')}, ${formatCount(text.length)} characters`}</summary>
      <LongText text={showHidden(text)} />
    </details>
  );
}
