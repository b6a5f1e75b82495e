import { z } from 'zod';
import { CliType } from './provider.ts';
import { IsoTime, MessageOrigin } from './session/upsert.ts';

export const SearchQuery = z.object({
  q: z.string().min(1).max(500),
  /** Only in the items of this session. */
  sessionId: z.string().min(1).max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

/** Markers around a match in a snippet. An agent's text may contain them too. */
export const snippetMarks = { start: '\u0002', end: '\u0003' } as const;

/** Where the search matched: the title of a session, or one of its items. */
export const SearchHit = z.object({
  sessionId: z.string(),
  title: z.string(),
  projectId: z.string(),
  cliType: CliType,
  updatedAt: IsoTime,
  archived: z.boolean(),
  where: z.enum(['title', 'item']),
  /** Only for `where: item`. */
  itemId: z.string().optional(),
  turnId: z.string().optional(),
  itemType: z.enum(['message', 'thinking', 'tool_call', 'plan']).optional(),
  origin: MessageOrigin.optional(),
  at: IsoTime.optional(),
  /** One line around the first match, each match between `snippetMarks`. */
  snippet: z.string(),
  /** This session has more matches than are listed. */
  more: z.boolean().optional(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchReply = z.object({ hits: z.array(SearchHit) });
export type SearchReply = z.infer<typeof SearchReply>;
