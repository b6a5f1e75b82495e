import type { ToolCallUpsert } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { changeCountOf, noWork, runningWorkOf, workAfterFact, workAfterItem, type TurnWork } from './running-work.ts';
import { at, completed, turnEnded, turnStarted } from './testing/play-session.ts';

const call = (part: Partial<ToolCallUpsert>): ToolCallUpsert => ({
  type: 'tool_call',
  turnId: 't',
  sessionId: 's',
  itemId: 'i',
  sourceTimestamp: at,
  emittedAt: at,
  status: 'create',
  toolName: 'Bash',
  toolArguments: {},
  callId: 'c',
  ...part,
});
const running = workAfterFact(noWork, turnStarted('t'));
const doing = (work: TurnWork): string | undefined => runningWorkOf(work)?.doing;

describe('the work of a turn', () => {
  it('reports when it started and its current call', () => {
    expect(runningWorkOf(noWork)).toBeUndefined();
    expect(runningWorkOf(running)).toEqual({ since: at });
    const at1 = workAfterItem(running, call({ toolKind: 'execute', toolArguments: { command: 'npm  test\n' } }));
    expect(doing(at1)).toBe('Running npm test');
    const at2 = workAfterItem(at1, call({ itemId: 'j', toolKind: 'read', locations: [{ path: 'a.ts' }] }));
    expect(doing(at2)).toBe('Reading a.ts');
    expect(doing(workAfterItem(at2, call({ itemId: 'k', toolName: 'mcp__x' })))).toBe('mcp__x');
    const renamed = call({ itemId: 'j', status: 'update', toolKind: 'read', locations: [{ path: 'b.ts' }] });
    expect(doing(workAfterItem(at2, renamed))).toBe('Reading b.ts');
    expect(runningWorkOf(workAfterFact(at2, turnEnded(completed('t'))))).toBeUndefined();
  });

  it('counts the lines of completed edits, each file once', () => {
    const diffs = [{ path: 'a.ts', oldText: 'a\nb\n', newText: 'a\nc\nd\n' }];
    const edits = [
      call({ itemId: '1', status: 'complete', diffs }),
      call({ itemId: '1', status: 'complete', diffs }),
      call({ itemId: '2', status: 'complete', diffs }),
      call({ itemId: '3', status: 'complete', diffs, refused: true }),
      call({ itemId: '4', status: 'error', diffs }),
    ];
    expect(changeCountOf(running)).toBeUndefined();
    expect(changeCountOf(edits.reduce(workAfterItem, running))).toEqual({ files: 1, added: 4, removed: 2 });
  });
});
