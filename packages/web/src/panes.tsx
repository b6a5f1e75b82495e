import { useRef, type ReactNode } from 'react';
import { SessionView } from './session-view.tsx';
import { titleOf } from './state/sessions/titles.ts';
import { useDirectory, useWorkbench } from './state/workbench/use-workbench.ts';
import { IconButton } from './ui/button.tsx';
import { Icon } from './ui/icon.tsx';
import { Resizer } from './ui/resizer.tsx';

type PanesProps = {
  readonly shown: readonly string[];
  readonly active: string | null;
  /** The left side's share of the width, in case there are two. */
  readonly ratio: number;
};

/** The shown session, or two side by side; the one a person works in is the active one. */
export function Panes({ shown, active, ratio }: PanesProps): ReactNode {
  const { newSessions, tabs } = useWorkbench();
  const box = useRef<HTMLDivElement>(null);
  const isSplit = shown.length > 1;
  const percent = Math.round(ratio * 100);
  return (
    <div ref={box} className={isSplit ? 'panes panes-split' : 'panes'} style={{ '--left': `${percent}%` } as object}>
      {shown.map((sessionId, index) => (
        // A new session keeps its composer, focus and all, when its first message makes it.
        <Pane
          key={newSessions.origin(sessionId)?.id ?? sessionId}
          sessionId={sessionId}
          isActive={sessionId === active}
          isSplit={isSplit}
        >
          {isSplit && index === 0 && (
            <Resizer
              label="Left pane width"
              className="panes-edge"
              value={percent}
              min={20}
              max={80}
              step={5}
              toValue={(x) => {
                const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
                return ((x - left) / width) * 100;
              }}
              onChange={(next) => tabs.setRatio(next / 100)}
            />
          )}
        </Pane>
      ))}
    </div>
  );
}

type PaneProps = {
  readonly sessionId: string;
  readonly isActive: boolean;
  readonly isSplit: boolean;
  readonly children: ReactNode;
};

function Pane({ sessionId, isActive, isSplit, children }: PaneProps): ReactNode {
  const workbench = useWorkbench();
  const title = titleOf(useDirectory().sessions.get(sessionId));
  const store = workbench.session(sessionId);
  if (store === undefined) return null;
  const activate = (): void => {
    if (!isActive) workbench.tabs.show(sessionId);
  };
  return (
    <div
      className={isActive ? 'pane pane-active' : 'pane'}
      {...(isSplit ? { role: 'group', 'aria-label': title } : {})}
      onFocus={activate}
      onPointerDown={activate}
    >
      {isSplit && (
        <div className="pane-head">
          <span className="pane-title">{title}</span>
          <IconButton
            label="Close this side"
            onClick={() => {
              const { split } = workbench.tabs.get();
              workbench.tabs.endSplit();
              if (split !== null) workbench.tabs.show(split.left === sessionId ? split.right : split.left);
            }}
          >
            <Icon name="close" size={12} />
          </IconButton>
        </div>
      )}
      <SessionView store={store} />
      {children}
    </div>
  );
}
