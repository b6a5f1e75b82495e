import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { TerminalSummary } from '@liminal/contracts';
import type { NamedPlace } from '@liminal/domain/text/file-places';
import { tabKeys } from '../../state/workbench/tab-actions.ts';
import { terminalKeys } from '../../state/workbench/terminal-actions.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { isPressed } from '../../ui/keys.ts';
import { openEmulator, type Emulator } from '../../rendering/terminal-emulator.ts';
import { followTerminal, type FollowedTerminal } from './follow-terminal.ts';
import { terminalColours } from './terminal-colours.ts';

type TerminalViewProps = {
  readonly terminal: TerminalSummary;
  readonly takesFocus: boolean;
  readonly onEmulator: (emulator: Emulator | null) => void;
  readonly onSelection: (selection: string) => void;
  readonly onPath: (place: NamedPlace) => void;
};

/** These keys bypass the terminal: without them, keyboard users couldn't leave it. */
const pageKeys = [terminalKeys, ...Object.values(tabKeys)];
const dark = '(prefers-color-scheme: dark)';

/** One terminal. Its size follows the browser in which the user last worked with it. */
export function TerminalView(props: TerminalViewProps): ReactNode {
  const { terminal, takesFocus, onEmulator, onSelection, onPath } = props;
  const { terminalId, title, running } = terminal;
  const { terminals, theme } = useWorkbench();
  const chosenTheme = useCell(theme);
  const host = useRef<HTMLDivElement>(null);
  const [emulator, setEmulator] = useState<Emulator | null>(null);

  const choosePath = useEffectEvent(onPath);

  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    let followed: FollowedTerminal | null = null;
    const opened = openEmulator({
      host: place,
      fontFamily: getComputedStyle(place).fontFamily,
      onInput: (data) => terminals.input(terminalId, data),
      onSelection,
      onPath: (place) => choosePath(place),
      mayAnswer: () => followed?.mayAnswer() ?? false,
      isPageKey: (event) => pageKeys.some((keys) => isPressed(keys, event)),
    });
    followed = followTerminal(opened, (offset) => terminals.ack(terminalId, offset));
    const hide = terminals.show(terminalId, followed);
    const takeSize = (): void => {
      const size = opened.fit();
      if (size) terminals.resize(terminalId, size.cols, size.rows);
    };
    const observer = new ResizeObserver(() => document.hasFocus() && takeSize());
    observer.observe(place);
    const onFocus = (): void => {
      terminals.focusRequest.set(null);
      takeSize();
    };
    place.addEventListener('focusin', onFocus);
    takeSize();
    setEmulator(opened);
    onEmulator(opened);
    return () => {
      observer.disconnect();
      place.removeEventListener('focusin', onFocus);
      onEmulator(null);
      hide();
      opened.dispose();
    };
  }, [terminalId, terminals, onEmulator, onSelection]);

  useEffect(() => {
    const apply = (): void => emulator?.setColours(terminalColours(document.body));
    apply();
    const system = matchMedia(dark);
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [emulator, chosenTheme]);
  useEffect(() => emulator?.setWritable(running), [emulator, running]);
  useEffect(() => {
    if (takesFocus) emulator?.focus();
  }, [emulator, takesFocus]);

  return <div ref={host} className="terminal-screen" role="group" aria-label={`Terminal ${title}`} />;
}
