import type { Loose } from '../../kit/read-json.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import { environmentOf } from '../client-services/client-services.ts';
import { errorText } from '../../provider-error.ts';
import { isAuthRequired, isWorthAnotherStart } from './failures.ts';
import { keyMethod } from './login-steps.ts';
import type { OpenAgent } from './open-agent.ts';

/**
 * Sends a request to a freshly started agent. If it needs a login although its environment has a key, it is asked to
 * use that key. If its inner process died, it is asked once more, because the next request restarts that process.
 */
export function askOrLogIn({
  spec,
  deps,
  opened,
  ms = deps.limits.openMs,
}: {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  readonly opened: OpenAgent;
  readonly ms?: number;
}): (method: string, params: unknown) => Promise<Loose> {
  const tooLate = `${spec.name} didn't open the session within ${ms / 1000} s, so it was stopped.`;
  const ask = (method: string, params: unknown): Promise<Loose> => opened.ask(method, params, ms, tooLate);
  return async (method, params) => {
    try {
      return await ask(method, params);
    } catch (error) {
      if (isWorthAnotherStart(error)) return ask(method, params);
      const methodId = keyMethod(spec, opened.initialized['authMethods'], environmentOf(spec, deps));
      if (!isAuthRequired(error) || methodId === undefined) throw error;
      await ask('authenticate', { methodId }).catch((refusal: unknown) => {
        deps.log.warn({ agent: spec.id, reason: errorText(refusal) }, 'an agent rejected its API key');
        throw error;
      });
      return ask(method, params);
    }
  };
}
