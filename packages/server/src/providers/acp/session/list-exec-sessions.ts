import { mkdir } from 'node:fs/promises';
import type { DiscoveredSession } from '@liminal/contracts';
import { isoTime } from '@liminal/domain/time/iso-time';
import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import { asAmount, asRecord, asRecords, asText, asNonEmptyString, type Loose } from '../../kit/read-json.ts';
import type { AgentDeps } from '../connection/agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import { environmentOf } from '../client-services/client-services.ts';
import { createJsonLines } from '../connection/json-lines.ts';
import { within } from '../../kit/within.ts';

/** More than anybody looks through. */
const mostSessions = 200;

/**
 * The sessions of `codex exec` in a folder. Codex's adapter lists only those of interactive programs, so we ask Codex's
 * own server, in a folder of ours, where it reads no foreign configuration.
 */
export async function listExecSessions(
  { spec, deps, server, signal }: ExecListing,
  cwd: string,
): Promise<readonly DiscoveredSession[]> {
  await mkdir(deps.neutralDir, { recursive: true });
  signal.throwIfAborted();
  const agent = await deps.spawner.spawn({ ...server, cwd: deps.neutralDir, env: environmentOf(spec, deps) });
  const stop = () => void agent.kill();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const message = `${spec.name} didn't list its sessions in time.`;
    const answer = await within(askForThreads(agent, cwd, deps.clientVersion), deps.limits.listMs, message);
    return asRecords(answer['data']).flatMap((raw) => readThread(spec.id, cwd, raw));
  } finally {
    await agent.kill();
  }
}

export type ExecListing = {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  readonly server: NonNullable<AgentSpec['appServer']>;
  /** Ends the process. */
  readonly signal: AbortSignal;
};

const listId = 2;

function askForThreads(agent: AgentProcess, cwd: string, version: string): Promise<Loose> {
  const { promise, resolve, reject } = Promise.withResolvers<Loose>();
  const lines = createJsonLines((message) => {
    if (message['id'] !== listId) return;
    const error = asText(asRecord(message['error'])['message']);
    if (error === undefined) resolve(asRecord(message['result']));
    else reject(new Error(error));
  });
  agent.stdout.on('data', (bytes: Uint8Array) => {
    try {
      lines.push(bytes);
    } catch (error) {
      reject(error);
    }
  });
  agent.stdin.on('error', reject);
  void agent.exited.then(() => reject(new Error(agent.stderrTail() || 'It ended without a response.')));
  const clientInfo = { name: 'liminal-builder', title: 'Liminal Builder', version };
  const wanted = { cwd, limit: mostSessions, sourceKinds: ['exec'], modelProviders: [], useStateDbOnly: true };
  for (const message of [
    { id: 1, method: 'initialize', params: { clientInfo } },
    { method: 'initialized' },
    { id: listId, method: 'thread/list', params: wanted },
  ]) {
    agent.stdin.write(`${JSON.stringify(message)}\n`);
  }
  return promise;
}

/** Writing a copy takes at most this many seconds. A copy updated later has a new message. */
const copyingTakes = 1;

/** One of Codex's threads, if it belongs to this folder. A copy without new messages has nothing of its own. */
export function readThread(cliType: string, cwd: string, raw: Loose): DiscoveredSession[] {
  const sessionId = asNonEmptyString(raw['id']);
  if (sessionId === undefined || (asText(raw['cwd']) ?? cwd) !== cwd) return [];
  const seconds = asAmount(raw['updatedAt']) ?? 0;
  const isCopy = asNonEmptyString(raw['forkedFromId']) !== undefined;
  if (isCopy && seconds - (asAmount(raw['createdAt']) ?? 0) <= copyingTakes) return [];
  const title = asNonEmptyString(raw['name']) ?? asNonEmptyString(raw['preview']) ?? 'Untitled';
  return [{ sessionId, cliType, title, updatedAt: isoTime(seconds * 1000), size: 0 }];
}
