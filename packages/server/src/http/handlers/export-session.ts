import { Readable } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import { ok, type ExportedTurn, type ExportFormat, type HistoryPage, type Result } from '@liminal/contracts';
import { type Exporter, jsonExporter } from '@liminal/domain/export/exporter';
import { htmlExporter } from '@liminal/domain/export/html-exporter';
import { markdownExporter } from '@liminal/domain/export/markdown-exporter';
import { isoTime } from '@liminal/domain/time/iso-time';
import type { SessionService } from '../../sessions/service/session-service.ts';
import type { Exchange } from './handlers.ts';

const exporters: Record<ExportFormat, { readonly exporter: Exporter; readonly contentType: string }> = {
  md: { exporter: markdownExporter, contentType: 'text/markdown; charset=utf-8' },
  html: { exporter: htmlExporter, contentType: 'text/html; charset=utf-8' },
  json: { exporter: jsonExporter, contentType: 'application/json; charset=utf-8' },
};
/** Other work runs between pages, so they are small. */
const pageTurns = 10;

type Sessions = Pick<SessionService, 'history' | 'status' | 'capabilities'>;

/** Exports a session as a file, oldest turn first. At most two pages of its turns are in memory at a time. */
export async function exportSession(
  sessions: Sessions,
  { reply }: Exchange,
  sessionId: string,
  format: ExportFormat,
): Promise<Result<Readable>> {
  const status = await sessions.status(sessionId);
  if (!status.ok) return status;
  const first = await sessions.history(sessionId, { limit: pageTurns });
  if (!first.ok) return first;
  const about = await sessions.capabilities(sessionId);
  const title = about.ok ? (about.value.info.title ?? '') : '';
  const { exporter, contentType } = exporters[format];
  reply.headers({
    'content-type': contentType,
    'content-disposition': `attachment; filename="session.${format}"`,
    // However a browser shows the file, it runs without our origin.
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  });
  const pieces = async function* (): AsyncGenerator<string> {
    yield exporter.begin({ sessionId, cliType: status.value.cliType, title }, isoTime(Date.now()));
    let isFirst = true;
    for await (const turn of turnsOf(sessions, sessionId, first.value)) {
      await nextRound();
      yield exporter.turn(turn, isFirst);
      isFirst = false;
    }
    yield exporter.end();
  };
  return ok(Readable.from(pieces()));
}

/** Pages are read from newest to oldest: first only to find where each begins, then again from the oldest. */
async function* turnsOf(sessions: Sessions, sessionId: string, newest: HistoryPage): AsyncGenerator<ExportedTurn> {
  const starts: (string | undefined)[] = [undefined];
  let before = newest.nextBefore;
  while (before !== null) {
    starts.push(before);
    before = (await pageBefore(sessions, sessionId, before)).nextBefore;
  }
  for (const start of starts.toReversed()) {
    const page = start === undefined ? newest : await pageBefore(sessions, sessionId, start);
    for (const turn of page.turns) {
      yield { turn, items: page.entries.filter((item) => item.turnId === turn.turnId) };
    }
  }
}

async function pageBefore(sessions: Sessions, sessionId: string, before: string): Promise<HistoryPage> {
  await nextRound();
  const page = await sessions.history(sessionId, { before, limit: pageTurns });
  if (!page.ok) throw new Error(page.failure.message);
  return page.value;
}
