type Turn = { readonly sessionId: string; readonly turnId: string };
type Active = Turn & {
  readonly gitDir: string;
  readonly named: () => ReadonlySet<string>;
  readonly others: Set<Active>;
};

/** The turns of one session while it is in memory. */
export type SessionTurns = {
  begin(turn: Omit<Active, 'others'>): void;
  /** The files that other sessions' edit calls named while this turn ran. */
  end(turn: Turn): ReadonlySet<string>;
  /** The session leaves: its turns no longer count, not even one that is just starting. */
  close(): void;
};

/** Tracks which turns run in a working tree at the same time: a change meanwhile may come from any of them. */
export function createActiveTurns() {
  const active = new Map<string, Active>();
  const keyOf = ({ sessionId, turnId }: Turn): string => `${sessionId}\n${turnId}`;
  const turns: Pick<SessionTurns, 'begin' | 'end'> = {
    begin(turn) {
      const begun: Active = { ...turn, others: new Set() };
      for (const other of active.values()) {
        if (other.gitDir !== turn.gitDir || other.sessionId === turn.sessionId) continue;
        other.others.add(begun);
        begun.others.add(other);
      }
      active.set(keyOf(turn), begun);
    },
    end(turn) {
      const ended = active.get(keyOf(turn));
      active.delete(keyOf(turn));
      return new Set([...(ended?.others ?? [])].flatMap(({ named }) => [...named()]));
    },
  };
  const of = (sessionId: string): SessionTurns => {
    let isClosed = false;
    return {
      begin: (turn) => (isClosed ? undefined : turns.begin(turn)),
      end: turns.end,
      close() {
        isClosed = true;
        for (const [key, turn] of active) if (turn.sessionId === sessionId) active.delete(key);
      },
    };
  };
  return { ...turns, of };
}
