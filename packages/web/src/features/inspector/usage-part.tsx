import type { ReactNode } from 'react';
import type { TurnRecord, Usage } from '@liminal/contracts';
import { itemsOfTurn } from '@liminal/domain/timeline/timeline';
import { useInfo, useRunningTurn, useSession } from '../../state/sessions/use-session.ts';
import { formatCost, formatCount, formatDuration } from '../../ui/format.ts';
import { EmptyList } from '../../ui/list-state.tsx';

const tokens = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

/** The session's usage and cost in total, and by turn, newest first. */
export function UsagePart(): ReactNode {
  const { store } = useSession();
  const { context, sessionUsage, sessionCostUsd } = useInfo();
  // These numbers change when a turn starts or ends.
  useRunningTurn();
  const turns = store.timeline.turnIds
    .flatMap((turnId) => store.turn(turnId) ?? [])
    .filter((turn) => turn.ended !== undefined)
    .toReversed();
  const known = turns.flatMap((turn) => turn.ended?.usage ?? []);
  const usage = sessionUsage ?? (known.length === 0 ? undefined : known.reduce(add));
  const costs = turns.flatMap((turn) => turn.ended?.costUsd ?? []);
  const cost = sessionCostUsd ?? (costs.length === 0 ? undefined : costs.reduce((a, b) => a + b, 0));
  return (
    <>
      <dl className="inspector-facts">
        {context !== undefined && context.size > 0 && (
          <Fact name="Context">
            {`${formatCount(context.used)} of ${formatCount(context.size)} (${Math.round((100 * context.used) / context.size)}%)`}
          </Fact>
        )}
        {usage !== undefined && <Fact name="Input">{formatCount(usage.inputTokens)}</Fact>}
        {usage !== undefined && <Fact name="Output">{formatCount(usage.outputTokens)}</Fact>}
        {usage?.cacheReadInputTokens !== undefined && (
          <Fact name="Cache read">{formatCount(usage.cacheReadInputTokens)}</Fact>
        )}
        {cost !== undefined && <Fact name="Cost">{formatCost(cost)}</Fact>}
      </dl>
      {turns.length === 0 ? (
        <EmptyList title="No finished turns yet">
          Time, tokens and cost of each turn appear here when it ends.
        </EmptyList>
      ) : (
        <table className="inspector-table">
          <caption className="visually-hidden">Usage by turn</caption>
          <thead>
            <tr>
              <th scope="col">Turn</th>
              <th scope="col">Time</th>
              <th scope="col">Tokens</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {turns.map((turn) => (
              <TurnLine key={turn.turnId} turn={turn} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function TurnLine({ turn }: { readonly turn: TurnRecord }): ReactNode {
  const { store } = useSession();
  const asked = itemsOfTurn(store.timeline, turn.turnId).find(
    (item) => item.type === 'message' && item.origin === 'user',
  );
  const title = asked?.type === 'message' && asked.content !== '' ? asked.content : 'Started by the agent';
  const { usage, costUsd, durationMs } = turn.ended ?? {};
  return (
    <tr>
      <th scope="row" title={title} dir="auto">
        {title}
      </th>
      <td>{durationMs === undefined ? '' : formatDuration(durationMs)}</td>
      <td>{usage === undefined ? '' : formatCount(tokens(usage))}</td>
      <td>{costUsd === undefined ? '' : formatCost(costUsd)}</td>
    </tr>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="inspector-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function add(a: Usage, b: Usage): Usage {
  const cached = (a.cacheReadInputTokens ?? 0) + (b.cacheReadInputTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cached > 0 && { cacheReadInputTokens: cached }),
  };
}
