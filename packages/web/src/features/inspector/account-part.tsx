import type { ReactNode } from 'react';
import type { AgentAccount, McpServer, RateLimit } from '@liminal/contracts';
import { showControls } from '@liminal/domain/text/visible-text';
import { useNow } from '../../state/base/use-now.ts';
import { useInfo } from '../../state/sessions/use-session.ts';
import { formatUntil, formatWindow } from '../../ui/format.ts';

const serverStates: Record<McpServer['state'], string> = {
  starting: 'Starting',
  ready: 'Ready',
  failed: 'Failed',
  stopped: 'Stopped',
};

/** The session's account, its rate limits and the agent's MCP servers, if the agent reports them. */
export function AccountPart(): ReactNode {
  const { account, rateLimits = [], mcpServers = [] } = useInfo();
  return (
    <>
      {account !== undefined && account.kind !== 'none' && (
        <dl className="inspector-facts">
          <div className="inspector-fact">
            <dt>Account</dt>
            <dd dir="auto">{describeAccount(account)}</dd>
          </div>
        </dl>
      )}
      {rateLimits.length > 0 && (
        <section aria-label="Limits">
          <h3 className="inspector-heading">Limits</h3>
          <ul className="inspector-list">
            {rateLimits.map((limit) => (
              <Limit key={limit.windowMinutes ?? 'any'} limit={limit} />
            ))}
          </ul>
        </section>
      )}
      {mcpServers.length > 0 && (
        <section aria-label="MCP servers">
          <h3 className="inspector-heading">MCP servers</h3>
          <ul className="inspector-list">
            {mcpServers.map((server) => (
              <li key={server.name} className="inspector-server">
                <span className="inspector-task-label">{showControls(server.name)}</span>
                <span className={`inspector-server-${server.state}`}>{serverStates[server.state]}</span>
                {server.message !== undefined && <p className="inspector-note">{showControls(server.message)}</p>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Limit({ limit }: { readonly limit: RateLimit }): ReactNode {
  const now = useNow(60_000);
  const used = Math.round(limit.usedPercent);
  const name = limit.windowMinutes === undefined ? 'Usage limit' : `${formatWindow(limit.windowMinutes)} limit`;
  const resets = limit.resetsAt === undefined ? '' : `, resets ${formatUntil(limit.resetsAt, now)}`;
  return (
    <li className="inspector-limit">
      <span>{name}</span>
      <span className="muted">{`${used} % used${resets}`}</span>
      <meter aria-label={name} min={0} max={100} low={75} high={90} optimum={0} value={used} />
    </li>
  );
}

function describeAccount({ kind, email, plan }: AgentAccount): string {
  switch (kind) {
    case 'none':
      return 'Not needed';
    case 'key':
      return 'API key';
    case 'subscription':
      return [email, plan].filter((part) => part !== undefined).join(' · ') || 'Subscription';
    case 'other':
      return 'Signed in';
  }
}
