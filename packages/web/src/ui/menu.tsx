import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import './menu.css';

export type MenuItem = {
  readonly label: string;
  readonly onChoose: () => void;
  readonly hint?: string;
  readonly danger?: boolean;
  /** Whether it is the current value. */
  readonly isChosen?: boolean;
  /** The heading above it and the items next to it with the same one. */
  readonly section?: string;
};

type Place = { readonly x: number; readonly y: number };

type MenuListProps = {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly at: Place;
  readonly id?: string;
  readonly onClose: () => void;
};

/** A menu at a position. The browser's own popover keeps it in front, and closes it on Escape or a click elsewhere. */
export function MenuList({ label, items, at, id, onClose }: MenuListProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const back = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    back.current = document.activeElement;
    menu.showPopover();
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(at.x, innerWidth - width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(at.y, innerHeight - height - 8))}px`;
    menu.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
  }, [at]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = [...(element.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const from = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: -1 }[event.key];
    // Escape closes the menu here, and must not stop the agent.
    if (event.key === 'Escape') event.stopPropagation();
    if (event.key === 'Tab' || event.key === 'Escape') element.current?.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  };

  const button = (item: MenuItem, index: number): ReactNode => (
    <button
      key={`${index} ${item.label}`}
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={item.danger === true ? 'menu-item menu-item-danger' : 'menu-item'}
      onClick={() => {
        element.current?.hidePopover();
        item.onChoose();
      }}
    >
      <span>{item.label}</span>
      {item.isChosen === true && (
        <>
          <Icon name="check" size={14} />
          <span className="visually-hidden">(on)</span>
        </>
      )}
      {item.hint !== undefined && <kbd className="key-hint">{item.hint}</kbd>}
    </button>
  );

  return (
    <div
      ref={element}
      id={id}
      popover="auto"
      role="menu"
      aria-label={label}
      className="menu"
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        if (event.newState !== 'closed') return;
        // If the choice opened something, that has the focus by now; otherwise it returns to where it was.
        if (document.activeElement === document.body && back.current instanceof HTMLElement) back.current.focus();
        onClose();
      }}
    >
      {sectionsOf(items).map(([section, own], index) =>
        section === undefined ? (
          own.map(button)
        ) : (
          <div key={`${index} ${section}`} role="group" aria-label={section} className="menu-section">
            <div className="menu-heading" aria-hidden="true">
              {section}
            </div>
            {own.map(button)}
          </div>
        ),
      )}
    </div>
  );
}

/** Items with the same heading that follow each other. */
function sectionsOf(items: readonly MenuItem[]): ReadonlyArray<readonly [string | undefined, readonly MenuItem[]]> {
  const sections: Array<readonly [string | undefined, MenuItem[]]> = [];
  for (const item of items) {
    const last = sections.at(-1);
    if (last !== undefined && last[0] === item.section) last[1].push(item);
    else sections.push([item.section, [item]]);
  }
  return sections;
}

type MenuButtonProps = {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly className?: string;
  /** Three dots by default. */
  readonly icon?: IconName;
};

/** A small button and its menu. */
export function MenuButton({ label, items, className = '', icon = 'more' }: MenuButtonProps): ReactNode {
  const id = useId();
  const [at, setAt] = useState<Place | null>(null);
  return (
    <>
      <IconButton
        label={label}
        className={className}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        {...(at === null ? {} : { 'aria-controls': id })}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt({ x: box.left, y: box.bottom + 2 });
        }}
      >
        <Icon name={icon} />
      </IconButton>
      {at !== null && <MenuList label={label} items={items} at={at} id={id} onClose={() => setAt(null)} />}
    </>
  );
}
