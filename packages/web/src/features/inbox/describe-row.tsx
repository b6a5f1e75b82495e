import type { ReactNode } from 'react';
import type { ChangeCount, SessionSummary } from '@liminal/contracts';
import type { Attention } from '@liminal/domain/session/attention';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';
import { useNow } from '../../state/base/use-now.ts';
import { formatElapsed, plural } from '../../ui/format.ts';

type Names = { readonly title: string; readonly project: string; readonly agent: string };

/** The two lines of a row: the most important first, then the place. */
export function describeRow(session: SessionSummary, attention: Attention, names: Names): ReactNode {
  const { title, project, agent } = names;
  switch (attention.kind) {
    case 'needs-you': {
      const { asks } = attention;
      const ask = asks?.whole === undefined ? showControls(asks?.title ?? 'Needs approval') : null;
      return lines(
        ask ?? (
          <>
            Run <code>{showHidden(asks?.whole ?? '')}</code>
          </>
        ),
        [title, project, agent, asks !== undefined && asks.count > 1 ? `${asks.count - 1} more` : ''],
      );
    }
    case 'failed':
      return lines(showControls(attention.message), [title, project, agent]);
    case 'done':
      return lines(title, ['Done', project], attention.changed && <Changed changed={attention.changed} />);
    case 'working':
      return lines(
        title,
        [attention.doing === undefined ? 'Working' : showHidden(attention.doing), project],
        <Elapsed since={attention.since} />,
      );
    case 'unknown':
      return lines(title, [`${showHidden(attention.machine)} can’t be reached`, project]);
    case 'paused':
      return lines(title, ['Paused. Resumes when you send.', project, agent]);
    case 'idle':
      return lines(title, [session.status === 'dead' ? 'Ended' : 'Idle', project, agent]);
  }
}

const lines = (first: ReactNode, parts: readonly string[], more?: ReactNode): ReactNode => (
  <>
    <span className="inbox-first" dir="auto">
      {first}
    </span>
    <span className="inbox-second">
      <span className="inbox-place">{parts.filter((part) => part !== '').join(' · ')}</span>
      {more !== undefined && <span className="inbox-more">{more}</span>}
    </span>
  </>
);

function Changed({ changed: { files, added, removed } }: { readonly changed: ChangeCount }): ReactNode {
  return (
    <>
      {` · ${plural(files, 'file')} `}
      <span className="inbox-added">+{added}</span> <span className="inbox-removed">−{removed}</span>
    </>
  );
}

/** Updates by itself, so the row around it isn't redrawn. */
function Elapsed({ since }: { readonly since: string }): ReactNode {
  return <span className="inbox-elapsed">{` · ${formatElapsed(useNow(1000) - Date.parse(since))}`}</span>;
}
