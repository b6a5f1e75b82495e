import type { ReactNode } from 'react';
import { sortNames, type SortName } from '../../state/layout/list-view.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton, type MenuItem } from '../../ui/menu.tsx';

type ListControlsProps = { readonly filter: string; readonly onFilter: (filter: string) => void };

/** Filters and sorts the list. */
export function ListControls({ filter, onFilter }: ListControlsProps): ReactNode {
  const { listView } = useWorkbench();
  const view = useCell(listView);
  const sorts = (Object.keys(sortNames) as SortName[]).map((sort): MenuItem => ({
    label: sortNames[sort],
    isChosen: view.sort === sort,
    onChoose: () => listView.update((held) => ({ ...held, sort })),
  }));
  const groups: MenuItem[] = [
    {
      label: 'Group by project',
      isChosen: view.group === 'project',
      onChoose: () => listView.update((held) => ({ ...held, group: held.group === 'project' ? 'none' : 'project' })),
    },
  ];
  return (
    <div className="list-controls">
      <span className="list-filter-icon">
        <Icon name="search" size={14} />
      </span>
      <input
        className="list-filter"
        type="search"
        aria-label="Filter sessions"
        placeholder="Filter sessions"
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || filter === '') return;
          event.preventDefault();
          event.stopPropagation();
          onFilter('');
        }}
      />
      <MenuButton label="Sort and group" icon="sort" items={[...sorts, ...groups]} />
    </div>
  );
}
