import { z } from 'zod';
import { CliType } from '../provider.ts';
import { TurnRecord } from './turn-event.ts';
import { IsoTime, UpsertObject } from './upsert.ts';

export const ExportFormat = z.enum(['md', 'html', 'json']);
export type ExportFormat = z.infer<typeof ExportFormat>;
export const ExportQuery = z.object({ format: ExportFormat });
export type ExportQuery = z.infer<typeof ExportQuery>;

/** The metadata of an exported session. */
export const ExportedSession = z.object({ sessionId: z.string().min(1), cliType: CliType, title: z.string() });
export type ExportedSession = z.infer<typeof ExportedSession>;

/** One turn with all its items. */
export const ExportedTurn = z.object({ turn: TurnRecord, items: z.array(UpsertObject) });
export type ExportedTurn = z.infer<typeof ExportedTurn>;

/** A whole session as JSON. Readers must reject versions they don't know. */
export const SessionExport = z.object({
  schema: z.literal('liminal-session'),
  version: z.literal(1),
  exportedAt: IsoTime,
  session: ExportedSession,
  turns: z.array(ExportedTurn),
});
export type SessionExport = z.infer<typeof SessionExport>;
