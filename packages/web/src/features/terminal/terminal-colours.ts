import type { EmulatorColours } from '../../rendering/terminal-emulator.ts';

/** The page's colours for the emulator: six hex digits, for the current theme. */
export function terminalColours(page: HTMLElement): EmulatorColours {
  const probe = page.appendChild(document.createElement('span'));
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const colour = (token: string): string => {
    probe.style.color = `var(${token})`;
    if (!context) return '#808080';
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
  const colours = {
    background: colour('--sunken'),
    foreground: colour('--text'),
    cursor: colour('--accent'),
    selectionBackground: colour('--selection'),
  };
  probe.remove();
  return colours;
}
