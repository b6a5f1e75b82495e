import { fileURLToPath } from 'node:url';

/** How one kind of agent's recordings are replayed, and where they and their results are kept. */
export type Replayer = {
  /** Prints what the recording named by its argument gives, one JSON value per line. */
  readonly command: string;
  readonly folders: readonly {
    readonly recordings: string;
    /** `--update` writes these again. */
    readonly golden: string;
  }[];
};

const inPackages = (path: string): string => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));

/** By the kind of agent, as the command line names it. */
export const replayers: Readonly<Record<string, Replayer>> = {
  'claude-code': {
    command: inPackages('server/src/providers/claude/recording/replay-command.ts'),
    folders: [
      {
        recordings: inPackages('stand-ins/recordings/claude'),
        golden: inPackages('server/src/providers/claude/recording/golden'),
      },
    ],
  },
  codex: {
    command: inPackages('server/src/providers/codex/recording/replay-command.ts'),
    folders: [
      {
        recordings: inPackages('stand-ins/recordings/codex-app-server'),
        golden: inPackages('server/src/providers/codex/recording/golden'),
      },
    ],
  },
  acp: {
    command: inPackages('server/src/providers/acp/recording/replay-command.ts'),
    folders: ['codex', 'other-agents'].map((folder) => ({
      recordings: inPackages(`stand-ins/recordings/${folder}`),
      golden: inPackages(`server/src/providers/acp/recording/golden/${folder}`),
    })),
  },
};
