import type { ReactNode } from 'react';
import type { PermissionRequest } from '@liminal/contracts';
import { Diff } from '../../rendering/diff.tsx';
import { LongText } from '../../rendering/long-text.tsx';
import { Markdown } from '../../rendering/markdown.tsx';
import { showControls, showHidden } from '../../rendering/visible-text.ts';
import { useSession } from '../../state/use-session.ts';

/** The command that would run, whole; `null` when the request is about something else. */
export function commandOf({ toolArguments }: PermissionRequest): string | null {
  const command = toolArguments?.['command'];
  return typeof command === 'string' ? command : Array.isArray(command) ? command.join(' ') : null;
}

/** Everything the person is asked to approve, whole: nothing is folded, shortened or left out. */
export function WhatIsAsked({ request }: { readonly request: PermissionRequest }): ReactNode {
  const { projectDir } = useSession();
  const { kind, description, diffs = [], toolArguments = {} } = request;
  const { command: _, plan, description: purpose, ...others } = toolArguments;
  const command = commandOf(request);
  const isPurpose = command !== null && typeof purpose === 'string';
  const planText = kind !== 'plan' ? undefined : typeof plan === 'string' ? plan : description;
  // What the agent says beside its arguments often only repeats one of them.
  const isSaid = description === undefined || description === request.title || description === planText;
  const rest =
    diffs.length > 0
      ? []
      : Object.entries({
          ...others,
          ...(plan !== undefined && plan !== planText && { plan }),
          ...(!isPurpose && purpose !== undefined && { description: purpose }),
        });
  return (
    <>
      {!isSaid && <p dir="auto">{showControls(description)}</p>}
      {command !== null && (
        <pre className="asked-command" dir="ltr" tabIndex={0}>
          <LongText text={showHidden(command)} />
        </pre>
      )}
      {isPurpose && purpose !== request.title && purpose !== description && (
        <p className="muted" dir="auto">
          {showControls(purpose)}
        </p>
      )}
      {planText !== undefined && <Markdown text={planText} />}
      {diffs.map((diff, index) => (
        <Diff key={index} diff={diff} projectDir={projectDir} limit={Infinity} />
      ))}
      {rest.length > 0 && kind !== 'question' && kind !== 'form' && (
        <dl className="asked-values">
          {rest.map(([name, value]) => (
            <div key={name}>
              <dt>{showHidden(name)}</dt>
              <dd dir="auto">
                <LongText text={showHidden(typeof value === 'string' ? value : JSON.stringify(value, null, 2))} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
