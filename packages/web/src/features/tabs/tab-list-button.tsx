import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useAllTabs } from '../../state/workbench/use-tab-titles.ts';
import { useCell, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuList, type MenuItem } from '../../ui/menu.tsx';

/** All open tabs by their full titles: those of this project, then those of the others. Also opens by key. */
export function TabListButton(): ReactNode {
  const { panels, tabs } = useWorkbench();
  const { open, active } = useTabs();
  const groups = useAllTabs();
  const isShown = useCell(panels.tabList);
  const button = useRef<HTMLSpanElement>(null);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  useLayoutEffect(() => {
    const box = button.current?.getBoundingClientRect();
    setAt(isShown && box !== undefined ? { x: box.left, y: box.bottom + 2 } : null);
  }, [isShown]);
  if (groups.reduce((sum, group) => sum + group.tabs.length, 0) < 2) return null;
  const items = groups.flatMap((group) =>
    group.tabs.map(({ id, title, mark }, index): MenuItem => ({
      label: mark === '' ? title : `${title} · ${mark}`,
      isChosen: id === active,
      ...(groups.length > 1 && { section: group.name }),
      ...(group.isCurrent && index < 9 && { hint: `Alt+${index + 1}` }),
      onChoose: () => tabs.show(id),
    })),
  );
  const current = active ?? open[0];
  const closeOthers: MenuItem = {
    label: groups.length > 1 ? `Close other tabs of ${groups[0]?.name ?? ''}` : 'Close other tabs',
    onChoose: () => current !== undefined && tabs.closeOthers(current),
  };
  return (
    <span ref={button} className="tab-all">
      <IconButton
        label="Open tabs (Alt+T)"
        aria-haspopup="menu"
        aria-expanded={at !== null}
        onClick={() => panels.tabList.set(true)}
      >
        <Icon name="down" />
      </IconButton>
      {at !== null && (
        <MenuList
          label="Open tabs"
          items={open.length > 1 ? [...items, closeOthers] : items}
          at={at}
          onClose={() => panels.tabList.set(false)}
        />
      )}
    </span>
  );
}
