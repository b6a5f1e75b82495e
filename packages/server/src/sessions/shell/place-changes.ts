import { isDeepStrictEqual } from 'node:util';
import type { FileDiff, PermissionRequest, UpsertObject } from '@liminal/contracts';
import { isPlaced, placeDiffs, type ChangeTime, type FileAtPath } from '@liminal/domain/diff/place-diffs';

export type PlaceChangesDeps = {
  /** Reads what is at a path now. */
  readonly read: (path: string) => Promise<FileAtPath>;
};

/** Agents send parts of files: their changes are located in the file itself, before it is changed if possible. */
export type ChangePlacer = {
  /** Whether there are changes to locate. */
  concerns(upsert: UpsertObject): boolean;
  /** The item with its changes located in the files. */
  placed(upsert: UpsertObject): Promise<UpsertObject>;
  /** The requested changes, compared with the current files: nothing has been done yet. */
  asked(request: PermissionRequest): Promise<PermissionRequest>;
};

/** Calls whose result never arrives are dropped, oldest first. */
const mostCalls = 64;
/** Larger texts aren't compared. */
const largestChange = 1024 * 1024;

type Known = { readonly from: readonly FileDiff[]; readonly to: readonly FileDiff[] };

export function createChangePlacer({ read }: PlaceChangesDeps): ChangePlacer {
  /** What was found for a running call: once it has run, the file no longer shows its old content. */
  const known = new Map<string, Known>();

  const find = async (diffs: readonly FileDiff[], time: ChangeTime): Promise<readonly FileDiff[]> => {
    const byFile = await Promise.all(
      [...Map.groupBy(diffs, ({ path }) => path)].map(async ([path, ofFile]) => {
        const size = ofFile.reduce((sum, { oldText, newText }) => sum + (oldText ?? '').length + newText.length, 0);
        if (ofFile.every(isPlaced)) return ofFile;
        const file = await read(path);
        return placeDiffs(ofFile, size > largestChange && file !== 'missing' ? 'unreadable' : file, time);
      }),
    );
    return byFile.flat();
  };
  const keep = (callId: string, from: readonly FileDiff[], to: readonly FileDiff[]): void => {
    known.delete(callId);
    known.set(callId, { from, to });
    const oldest = known.size > mostCalls ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
  };

  return {
    concerns: (upsert) => upsert.type === 'tool_call' && upsert.diffs?.some((diff) => !isPlaced(diff)) === true,
    async placed(upsert) {
      if (upsert.type !== 'tool_call' || upsert.diffs === undefined) return upsert;
      const { callId, diffs, status } = upsert;
      const hasEnded = status === 'complete' || status === 'error';
      const found = known.get(callId);
      const isFound = found !== undefined && isDeepStrictEqual(found.from, diffs);
      const to = isFound ? found.to : await find(diffs, hasEnded ? 'after' : 'unknown');
      if (hasEnded) known.delete(callId);
      else if (!isFound) keep(callId, diffs, to);
      return { ...upsert, diffs: [...to] };
    },
    async asked(request) {
      const { callId, diffs = [] } = request;
      if (diffs.every(isPlaced)) return request;
      const to = await find(diffs, 'before');
      if (callId !== undefined) keep(callId, diffs, to);
      return { ...request, diffs: [...to] };
    },
  };
}
