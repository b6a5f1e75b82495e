import type { ReactNode } from 'react';

/** Our own drawings in the colour of the text, not the vendors' logos. In a box of 16, stroked. */
const drawings: Record<string, string> = {
  'claude-code': 'M8 2.2v11.6M3 5.1l10 5.8M13 5.1 3 10.9',
  codex: 'M8 1.6 13.6 4.8v6.4L8 14.4l-5.6-3.2V4.8zM6 6.2 7.8 8 6 9.8M8.8 10h1.8',
  gemini: 'M8 1.6c.5 3.9 2.5 5.9 6.4 6.4-3.9.5-5.9 2.5-6.4 6.4C7.5 10.5 5.5 8.5 1.6 8c3.9-.5 5.9-2.5 6.4-6.4z',
  opencode: 'M2.8 2.2h10.4v11.6H2.8zM5.8 5.2h4.4v5.6H5.8z',
  demo: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM6.7 5.6 10.3 8l-3.6 2.4z',
};
const anyAgent = 'M3.4 5.2h9.2v7.4H3.4zM8 5.2V2.6M6.2 8.4v1.2M9.8 8.4v1.2';
const families: Record<string, string> = { 'claude-agent-acp': 'claude-code' };

/** The icon of an agent. Its name is always next to it or in a label. */
export function AgentIcon({ agent, size = 16 }: { readonly agent: string; readonly size?: number }): ReactNode {
  return (
    <svg
      className="agent-icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={drawings[families[agent] ?? agent] ?? anyAgent} />
    </svg>
  );
}
