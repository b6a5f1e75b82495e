import type { Exporter } from './exporter.ts';

/** The shape of `SessionExport`, one turn a line. */
export const jsonExporter: Exporter = {
  begin: (session, exportedAt) =>
    `{"schema":"liminal-session","version":1,"exportedAt":${JSON.stringify(exportedAt)},"session":${JSON.stringify(session)},"turns":[`,
  turn: (turn, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(turn)}`,
  end: () => '\n]}\n',
};
