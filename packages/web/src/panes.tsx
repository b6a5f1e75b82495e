import { useRef, type ReactNode } from 'react';
import { boxesOf, type BorderBox, type Box } from './state/layout/split-boxes.ts';
import { splitOf } from './state/layout/splits.ts';
import { readTab } from './state/layout/tab-id.ts';
import type { Tabs } from './state/layout/tabs.ts';
import { useTabTitles } from './state/workbench/use-tab-titles.ts';
import { useCell, useWorkbench } from './state/workbench/use-workbench.ts';
import { TabView } from './tab-view.tsx';
import { IconButton } from './ui/button.tsx';
import { Icon } from './ui/icon.tsx';
import { Resizer } from './ui/resizer.tsx';
import './panes.css';

const whole: Box = { x: 0, y: 0, width: 1, height: 1 };
const percent = (part: number): string => `${part * 100}%`;

/** The active tab, or several in columns and rows. */
export function Panes({ tabs }: { readonly tabs: Tabs }): ReactNode {
  const { newSessions } = useWorkbench();
  const area = useRef<HTMLDivElement>(null);
  const titles = useTabTitles();
  const { open, active, splits } = tabs;
  const split = splitOf(splits, active);
  const { panes, borders } =
    split === undefined ? { panes: active === null ? [] : [{ tab: active, box: whole }], borders: [] } : boxesOf(split);
  const keys = new Map<string, number>();
  const keyOf = (tab: string): string => {
    const target = readTab(tab);
    if (target.kind === 'session') return newSessions.origin(tab)?.id ?? tab;
    if (target.kind !== 'file') return tab;
    // Switching to another file in the same pane keeps the tree next to it.
    const count = (keys.get(target.sessionId) ?? 0) + 1;
    keys.set(target.sessionId, count);
    return `files ${count} ${target.sessionId}`;
  };
  return (
    <div
      ref={area}
      className={split === undefined ? 'panes' : 'panes panes-split'}
      data-columns={split?.columns.length ?? 1}
    >
      {panes.map(({ tab, box }) => (
        <Pane
          key={keyOf(tab)}
          tab={tab}
          title={titles[open.indexOf(tab)]?.title ?? ''}
          box={box}
          isActive={tab === active}
          isSplit={split !== undefined}
        />
      ))}
      {borders.map((border) => (
        <PaneBorder key={JSON.stringify(border.border)} {...border} area={() => area.current} />
      ))}
    </div>
  );
}

type PaneProps = {
  readonly tab: string;
  readonly title: string;
  readonly box: Box;
  readonly isActive: boolean;
  readonly isSplit: boolean;
};

function Pane({ tab, title, box, isActive, isSplit }: PaneProps): ReactNode {
  const { panels, tabs } = useWorkbench();
  const drop = useCell(panels.dropAt);
  const activate = (): void => {
    if (!isActive) tabs.show(tab);
  };
  const place = {
    '--x': percent(box.x),
    '--y': percent(box.y),
    '--width': percent(box.width),
    '--height': percent(box.height),
  };
  const classes = ['pane', isActive && 'pane-active', box.x > 0 && 'pane-right', box.y > 0 && 'pane-below'];
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      style={place as object}
      data-pane={tab}
      {...(isSplit ? { role: 'group', 'aria-label': title } : {})}
      onFocus={activate}
      onPointerDown={activate}
    >
      {isSplit && (
        <div className="pane-head">
          <span className="pane-title">{title}</span>
          <IconButton label="Close this pane (keeps its tab)" onClick={() => tabs.takeOut(tab)}>
            <Icon name="close" size={12} />
          </IconButton>
        </div>
      )}
      <TabView tab={tab} title={title} />
      {drop?.tab === tab && <div className={`pane-drop pane-drop-${drop.edge}`} />}
    </div>
  );
}

type PaneBorderProps = BorderBox & { readonly area: () => HTMLElement | null };

/** The border between two parts of a split. */
function PaneBorder({ border, box, ratio, area }: PaneBorderProps): ReactNode {
  const { tabs } = useWorkbench();
  const isFlat = border.pane !== undefined;
  const value = Math.round(ratio * 100);
  const place = isFlat
    ? { '--x': percent(box.x), '--y': percent(box.y + box.height * ratio), '--length': percent(box.width) }
    : { '--x': percent(box.x + box.width * ratio), '--y': '0%', '--length': '100%' };
  return (
    <div className={isFlat ? 'panes-edge panes-edge-flat' : 'panes-edge'} style={place as object}>
      <Resizer
        label={isFlat ? 'Lower pane height' : 'Left pane width'}
        className="panes-edge-handle"
        orientation={isFlat ? 'horizontal' : 'vertical'}
        value={isFlat ? 100 - value : value}
        min={20}
        max={80}
        step={5}
        toValue={(at) => {
          const { left = 0, top = 0, width = 1, height = 1 } = area()?.getBoundingClientRect() ?? {};
          const part = isFlat ? (at - top) / height : (at - left) / width;
          const inPair = isFlat ? (part - box.y) / box.height : (part - box.x) / box.width;
          return 100 * (isFlat ? 1 - inPair : inPair);
        }}
        onChange={(next) => tabs.moveBorder(border, (isFlat ? 100 - next : next) / 100)}
      />
    </div>
  );
}
