import { fileURLToPath } from 'node:url';

/** How to replay one kind of agent's recordings, and where they and their results are stored. */
export type Replayer = {
  /** Prints the result of a recording, one JSON value per line. */
  readonly command: string;
  readonly folders: readonly {
    readonly recordings: string;
    /** Rewritten by `--update`. */
    readonly golden: string;
  }[];
};

const inPackages = (path: string): string => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));

/** By kind of agent, as named on the command line. */
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
