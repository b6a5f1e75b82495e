import type { ExportedSession, ExportedTurn } from '@liminal/contracts';

/** Turns a session into text piece by piece, so that a long one never has to be in memory as a whole. */
export type Exporter = {
  readonly begin: (session: ExportedSession, exportedAt: string) => string;
  readonly turn: (turn: ExportedTurn, isFirst: boolean) => string;
  readonly end: () => string;
};
