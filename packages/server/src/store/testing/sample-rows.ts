import type { UpsertObject } from '@liminal/contracts';
import type { CheckpointRow, KeptTree } from '../review-rows.ts';
import type { ItemRow, ProjectRow, SessionRow, TurnRow } from '../rows.ts';

/** The time of all sample rows. */
export const at = '2026-01-01T00:00:00.000Z';

export const projectRow = (projectId: string): ProjectRow => ({
  projectId,
  dir: `/${projectId}`,
  name: projectId,
  trusted: false,
  addedAt: at,
  removed: false,
});
export const sessionRow = (sessionId: string): SessionRow => ({
  sessionId,
  cliType: 'demo',
  projectId: 'p',
  title: '',
  titleSource: 'message',
  createdAt: at,
  updatedAt: at,
  archived: false,
  life: 'open',
  lastError: null,
  options: {},
  info: {},
});
export const turnRow = (turnId: string, change: Partial<TurnRow> = {}): TurnRow => ({
  sessionId: 's',
  turnId,
  state: 'queued',
  position: null,
  content: turnId,
  images: [],
  createdAt: at,
  clientMessageId: null,
  started: null,
  startedAt: null,
  ended: null,
  endedAt: null,
  ...change,
});
export const itemRow = (itemId: string, order: number, content = 'text', sourceId: string | null = null): ItemRow => {
  const turnId = itemId.split(':')[0] ?? '';
  const body: UpsertObject = {
    type: 'message',
    turnId,
    sessionId: 's',
    itemId,
    sourceTimestamp: at,
    emittedAt: at,
    status: 'complete',
    content,
    origin: 'agent',
    order,
  };
  return { sessionId: 's', itemId, turnId, order, sourceId, change: null, body };
};
/** A folder at a time. */
export const keptTree = (time = at): KeptTree => ({
  tree: 't',
  ref: 'r',
  raw: null,
  bytes: 0,
  head: null,
  branch: 'main',
  operation: null,
  at: time,
  notKept: [],
  ignoreState: null,
});
export const checkpointRow = (turnId: string, change: Partial<CheckpointRow> = {}): CheckpointRow => ({
  sessionId: 's',
  turnId,
  folder: '/p',
  gitDir: '/p/.git',
  before: keptTree(),
  after: null,
  paths: ['a.ts'],
  foreign: [],
  pruned: false,
  ...change,
});
