import type { ExportedSession, ExportedTurn } from '@liminal/contracts';

/** Exports a session piece by piece, so a long one is never in memory as a whole. */
export type Exporter = {
  readonly begin: (session: ExportedSession, exportedAt: string) => string;
  readonly turn: (turn: ExportedTurn, isFirst: boolean) => string;
  readonly end: () => string;
};

/** The shape of `SessionExport`, one turn per line. */
export const jsonExporter: Exporter = {
  begin: (session, exportedAt) =>
    `{"schema":"liminal-session","version":1,"exportedAt":${JSON.stringify(exportedAt)},"session":${JSON.stringify(session)},"turns":[`,
  turn: (turn, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(turn)}`,
  end: () => '\n]}\n',
};
