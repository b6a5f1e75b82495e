import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../jobs/open-turns.ts';
import { chunksOf, prose } from '../jobs/prose.ts';

export type StoreSize = {
  readonly sessions: number;
  readonly turnsOfEach: number;
  /** Per project, regardless of the total: a project's list has the same length in any store. */
  readonly sessionsOfProject: number;
};

/** A message, three answers and six calls. */
export const itemsOfTurn = 10;
const sessionsAtOnce = 250;
/** Per turn: the full output of one of its calls, which isn't indexed. */
const outputBytes = 13_000;

export const sessionId = (session: number): string => `session-${session}`;
export const projectId = (project: number): string => `project-${project}`;

/** Sessions are spread evenly over the last year. */
const timeOf = (session: number, { sessions }: StoreSize): string =>
  new Date(Date.now() - ((sessions - session) / sessions) * 365 * 86_400_000).toISOString();

/**
 * Fills a database that a server has created, without that server: its tables, indexes and triggers are real, but
 * nothing waits for the disk.
 */
export function fillStore(path: string, size: StoreSize): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA wal_autocheckpoint = 20000;');
  setIndexMemory(database, 128 * 1024 * 1024);
  const put = preparePuts(database);
  const text = createTexts();
  for (let project = 0; project < size.sessions / size.sessionsOfProject; project += 1) {
    const dir = `/somewhere/${projectId(project)}`;
    const row = { projectId: projectId(project), dir, name: projectId(project), trusted: false };
    put.project(projectId(project), { ...row, addedAt: timeOf(0, size), removed: false });
  }
  for (let from = 0; from < size.sessions; from += sessionsAtOnce) {
    database.exec('BEGIN');
    for (let session = from; session < Math.min(from + sessionsAtOnce, size.sessions); session += 1)
      fillSession(put, text, session, size);
    database.exec('COMMIT');
  }
  setIndexMemory(database, 1024 * 1024);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  // Otherwise the system writes gigabytes to the disk during the measurements that follow.
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/**
 * How much of the search index is buffered before it is written; SQLite stores this setting, and its default is 1 MiB.
 */
const setIndexMemory = (database: DatabaseSync, bytes: number): void =>
  database.exec(`INSERT INTO item_words (item_words, rank) VALUES ('hashsize', ${bytes})`);

function fillSession(put: Puts, text: Texts, session: number, size: StoreSize): void {
  const at = timeOf(session, size);
  const ids = { sessionId: sessionId(session) };
  put.session(ids.sessionId, {
    ...ids,
    cliType: session % 2 === 0 ? 'claude-code' : 'codex',
    projectId: projectId(Math.floor(session / size.sessionsOfProject)),
    title: `Session ${session}: ${text(6)}`,
    titleSource: 'message',
    createdAt: at,
    updatedAt: at,
    archived: false,
    life: 'open',
    lastError: null,
    options: {},
    info: { models: choices('model', 8), modes: choices('mode', 4), commands: choices('command', 30) },
    ended: { id: `t${size.turnsOfEach - 1}`, at },
  });
  for (let turn = 0; turn < size.turnsOfEach; turn += 1) fillTurn(put, text, { ...ids, turnId: `t${turn}` }, turn, at);
}

const choices = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${kind}-${index}`,
    name: `${kind}-${index}`,
    description: `What the ${kind} with the number ${index} is good for.`,
  }));

type TurnIds = { readonly sessionId: string; readonly turnId: string };

function fillTurn(put: Puts, text: Texts, ids: TurnIds, turn: number, at: string): void {
  const question = text(20);
  put.turn(ids, turn, {
    ...ids,
    state: 'completed',
    position: turn,
    content: question,
    images: [],
    createdAt: at,
    clientMessageId: null,
    started: { type: 'turn_started', ...ids, modelId: 'bench', providerId: 'bench' },
    startedAt: at,
    ended: { type: 'turn_complete', ...ids, status: 'completed' },
    endedAt: at,
  });
  const kept = { tree: 'a'.repeat(40), ref: 'refs/bench', raw: null, bytes: 1000, head: null, branch: 'main' };
  const tree = { ...kept, operation: null, at, notKept: [] };
  const place = { folder: '/somewhere', gitDir: '/somewhere/.git', before: tree, after: tree };
  put.checkpoint(ids, { ...ids, ...place, paths: ['src/main.ts'], foreign: [], pruned: false });
  const decision = { ...ids, requestId: `${ids.turnId}:ask`, title: 'Edit', outcome: 'answered', by: 'person', at };
  put.decision(ids, decision);
  for (let item = 0; item < itemsOfTurn; item += 1) {
    const itemId = `${ids.turnId}:1:${item}`;
    const order = turn * itemsOfTurn + item;
    const message = messageOf(ids, itemId, item === 0 ? question : text(40), 'complete');
    const body = { ...message, emittedAt: at, order, origin: item === 0 ? 'user' : 'agent' };
    put.item(ids, itemId, order, item < 4 ? body : { ...body, ...callOf(text, itemId, order) });
    if (item === itemsOfTurn - 1) put.output(ids, itemId, text(10).padEnd(outputBytes, 'output of a command\n'), at);
  }
}

/** A tool call: a unique path, arguments, and the start of its output. */
const callOf = (text: Texts, itemId: string, order: number) => ({
  type: 'tool_call',
  content: undefined,
  origin: undefined,
  callId: itemId,
  toolName: 'Edit',
  toolKind: 'edit',
  title: `Edit src/part-${text.unique()}/file-${order}.ts`,
  toolArguments: { path: `src/part-${order}.ts`, text: text(10) },
  toolOutput: text(30),
});

type Texts = ReturnType<typeof createTexts>;

/** Words from real documentation, the same in every run, with an occasional unique word. */
function createTexts() {
  const words = chunksOf(prose(70_000).replaceAll(/[`#*_[\]<>|]/g, ''));
  let state = 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const unique = (): string => next(2 ** 31).toString(36);
  const text = (count: number): string => {
    const from = next(words.length - count);
    return `${words
      .slice(from, from + count)
      .join('')
      .trim()} ${unique()}`;
  };
  return Object.assign(text, { unique });
}

type Puts = ReturnType<typeof preparePuts>;

function preparePuts(database: DatabaseSync) {
  const into = (table: string, columns: string) => {
    const places = columns.split(',').map(() => '?');
    const insert = database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${places.join(', ')})`);
    return (...values: (string | number | null | object)[]) =>
      void insert.run(...values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value)));
  };
  const turns = into('turns', 'session_id, turn_id, state, position, body');
  const items = into('items', 'session_id, item_id, turn_id, "order", source_id, epoch, seq, body');
  const outputs = into('outputs', 'session_id, item_id, output, written_at');
  const checkpoints = into('checkpoints', 'session_id, turn_id, body');
  const decisions = into('decisions', 'session_id, body');
  return {
    project: into('projects', 'project_id, body'),
    session: into('sessions', 'session_id, body'),
    turn: (ids: TurnIds, position: number, body: object) =>
      turns(ids.sessionId, ids.turnId, 'completed', position, body),
    item: (ids: TurnIds, itemId: string, order: number, body: object) =>
      items(ids.sessionId, itemId, ids.turnId, order, itemId, 'epoch', order, body),
    output: (ids: TurnIds, itemId: string, output: string, at: string) => outputs(ids.sessionId, itemId, output, at),
    checkpoint: (ids: TurnIds, body: object) => checkpoints(ids.sessionId, ids.turnId, body),
    decision: (ids: TurnIds, body: object) => decisions(ids.sessionId, body),
  };
}
