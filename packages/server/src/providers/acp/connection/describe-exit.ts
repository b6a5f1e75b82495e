import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import type { AcpConnection } from './acp-connection.ts';
import type { ConnectionEnd } from './connection-end.ts';
import { plainText } from './failures.ts';

const tailLength = 600;

/** Why an agent is gone, with its last output. */
export function describeExit(
  name: string,
  agent: Pick<AgentProcess, 'stderrTail'>,
  connection: Pick<AcpConnection, 'stray'>,
  { exit, fault }: ConnectionEnd,
): string {
  if (fault !== undefined) return `${name} was stopped: ${fault}.`;
  const how = exit.signal === null ? `exit code ${exit.code}` : exit.signal;
  const said = plainText(agent.stderrTail()) || plainText(connection.stray().last);
  const last = said.length > tailLength ? `…${said.slice(-tailLength)}` : said;
  return last === '' ? `${name} stopped (${how}).` : `${name} stopped (${how}). Last output: ${last}`;
}
