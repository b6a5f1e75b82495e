import type { ReactNode } from 'react';
import type { Theme } from '../../state/theme-store.ts';
import { useCell, useWorkbench } from '../../state/use-workbench.ts';

const words: Record<Theme, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };

/** Light, dark, or as the system says. */
export function ThemeChoice(): ReactNode {
  const { theme } = useWorkbench();
  return (
    <select
      className="theme-choice"
      aria-label="Colours"
      value={useCell(theme)}
      onChange={(event) => theme.set(event.target.value as Theme)}
    >
      {(Object.keys(words) as Theme[]).map((each) => (
        <option key={each} value={each}>
          {words[each]}
        </option>
      ))}
    </select>
  );
}
