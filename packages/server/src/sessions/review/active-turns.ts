type Turn = { readonly sessionId: string; readonly turnId: string };
type Active = Turn & {
  readonly gitDir: string;
  readonly named: () => ReadonlySet<string>;
  readonly others: Set<Active>;
};

export type ActiveTurns = ReturnType<typeof createActiveTurns>;

/** Tracks which turns run in a working tree at the same time: a change meanwhile may come from any of them. */
export function createActiveTurns() {
  const active = new Map<string, Active>();
  const keyOf = ({ sessionId, turnId }: Turn): string => `${sessionId}\n${turnId}`;
  return {
    begin(turn: Omit<Active, 'others'>): void {
      const begun: Active = { ...turn, others: new Set() };
      for (const other of active.values()) {
        if (other.gitDir !== turn.gitDir || other.sessionId === turn.sessionId) continue;
        other.others.add(begun);
        begun.others.add(other);
      }
      active.set(keyOf(turn), begun);
    },
    /** The files that other sessions' edit calls named while this turn ran. */
    end(turn: Turn): ReadonlySet<string> {
      const ended = active.get(keyOf(turn));
      active.delete(keyOf(turn));
      return new Set([...(ended?.others ?? [])].flatMap(({ named }) => [...named()]));
    },
  };
}
