import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { DistinctTitle } from '../../state/sessions/titles.ts';
import { useCell, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuList, type MenuItem } from '../../ui/menu.tsx';

/** All open tabs by their full titles, for when the bar is too short; also opens by key. */
export function TabListButton({ titles }: { readonly titles: readonly DistinctTitle[] }): ReactNode {
  const { panels, tabs } = useWorkbench();
  const { open, active } = useTabs();
  const isShown = useCell(panels.tabList);
  const button = useRef<HTMLSpanElement>(null);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  useLayoutEffect(() => {
    const box = button.current?.getBoundingClientRect();
    setAt(isShown && box !== undefined ? { x: box.left, y: box.bottom + 2 } : null);
  }, [isShown]);
  if (open.length < 2) return null;
  const items: MenuItem[] = open.map((id, index) => {
    const { title, mark } = titles[index] ?? { title: '', mark: '' };
    return {
      label: mark === '' ? title : `${title} · ${mark}`,
      isChosen: id === active,
      ...(index < 9 && { hint: `Alt+${index + 1}` }),
      onChoose: () => tabs.show(id),
    };
  });
  const current = active ?? open[0];
  const closeOthers: MenuItem = {
    label: 'Close other tabs',
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
        <MenuList label="Open tabs" items={[...items, closeOthers]} at={at} onClose={() => panels.tabList.set(false)} />
      )}
    </span>
  );
}
