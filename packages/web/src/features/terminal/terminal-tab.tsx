import type { ReactNode } from 'react';
import { useCell, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadingRows } from '../../ui/list-state.tsx';
import { TerminalSurface } from './terminal-surface.tsx';

type TerminalTabProps = { readonly terminalId: string; readonly tab: string };

/** A terminal in its own tab. Closing the tab moves it back to the panel; its program keeps running. */
export default function TerminalTab({ terminalId, tab }: TerminalTabProps): ReactNode {
  const { terminals } = useWorkbench();
  const list = useCell(terminals.list);
  const isActive = useTabs().active === tab;
  const terminal = list?.find((each) => each.terminalId === terminalId);
  return (
    <TerminalSurface
      label="Terminal"
      terminal={terminal}
      takesFocus={isActive}
      lead={<span className="terminal-folder">{terminal?.folder}</span>}
      trail={
        <IconButton label="Move to the panel" disabled={!terminal} onClick={() => terminals.toPanel(terminalId)}>
          <Icon name="unified" />
        </IconButton>
      }
      notice={
        list === null && (
          <div className="terminal-notice">
            <LoadingRows label="Loading terminals…" />
          </div>
        )
      }
    />
  );
}
