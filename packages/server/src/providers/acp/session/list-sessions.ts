import { mkdir } from 'node:fs/promises';
import type { DiscoveredSession } from '@liminal/contracts';
import { isoTime } from '@liminal/domain/time/iso-time';
import { asRecords, asText, asNonEmptyString, type Loose } from '../../kit/read-json.ts';
import type { AgentDeps } from '../connection/agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import type { AgentStarts } from '../connection/agent-starts.ts';
import { askOrLogIn } from '../connection/ask-or-log-in.ts';
import { AgentRefused, openFailure } from '../connection/failures.ts';
import { openAgent } from '../connection/open-agent.ts';

type Ask = (method: string, params: unknown) => Promise<Loose>;

export type ListingInNewProcess = {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  readonly starts: AgentStarts;
  /** Ends the process. */
  readonly signal: AbortSignal;
};

/** A list so long that nobody reads all of it. */
const mostPages = 20;

/** All sessions of a folder that a running agent knows. */
export async function readSessionList(cliType: string, cwd: string, ask: Ask): Promise<readonly DiscoveredSession[]> {
  const found: DiscoveredSession[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await ask('session/list', { cwd, ...(cursor !== undefined && { cursor }) });
    found.push(...asRecords(answer['sessions']).flatMap((raw) => readSession(cliType, cwd, raw)));
    const next = asNonEmptyString(answer['nextCursor']);
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return found;
}

/**
 * The same without a running agent: runs one only for this, in a folder of our own, so nothing in an untrusted folder
 * is read as its configuration. Empty for an agent that keeps no list.
 */
export async function listSessionsInNewProcess(
  { spec, deps, starts, signal }: ListingInNewProcess,
  cwd: string,
  onInitialized: (initialized: Loose) => boolean,
): Promise<readonly DiscoveredSession[]> {
  await mkdir(deps.neutralDir, { recursive: true });
  const { listMs, initializeMs } = deps.limits;
  const withShortTimeout: AgentDeps = {
    ...deps,
    limits: { ...deps.limits, initializeMs: Math.min(listMs, initializeMs) },
  };
  const opened = await starts.run(() =>
    openAgent(
      { spec, deps: withShortTimeout, cwd: deps.neutralDir, signal },
      {
        update: () => {},
        request: async (method) => {
          throw new AgentRefused(-32601, `Method not found: ${method}`);
        },
        closed: () => {},
      },
    ),
  );
  try {
    if (!onInitialized(opened.initialized)) return [];
    return await readSessionList(spec.id, cwd, askOrLogIn({ spec, deps, opened, ms: listMs }));
  } catch (error) {
    throw openFailure(error, spec, opened.initialized['authMethods']);
  } finally {
    await opened.agent.kill();
  }
}

function readSession(cliType: string, cwd: string, raw: Loose): DiscoveredSession[] {
  const sessionId = asNonEmptyString(raw['sessionId']);
  // Some agents list the sessions of every folder regardless of the request.
  if (sessionId === undefined || (asText(raw['cwd']) ?? cwd) !== cwd) return [];
  const at = Date.parse(asText(raw['updatedAt']) ?? '');
  return [
    {
      sessionId,
      cliType,
      title: asNonEmptyString(raw['title']) ?? 'Untitled',
      updatedAt: isoTime(Number.isFinite(at) ? at : 0),
      // The protocol doesn't report it.
      size: 0,
    },
  ];
}
