import { createScriptedProvider, type ScriptedProvider } from '../../../providers/testing/scripted-provider.ts';

/** An agent that can copy its conversation; `bound` holds the agent's sessions behind each of ours. */
export function forkingProvider(
  gate: () => Promise<void> = async () => {},
  bound = new Map<string, readonly string[]>(),
) {
  let copies = 0;
  const provider: ScriptedProvider = createScriptedProvider('scripted', {
    forkSession: async (sessionId, { turnId } = {}) => {
      await gate();
      return { sessionId: `copy-${(copies += 1)}-of-${sessionId}-at-${turnId ?? 'end'}`, cliType: 'scripted' };
    },
    agentIdsOf: (sessionId) => bound.get(sessionId) ?? [sessionId],
    rebind: async (sessionId, agentIds) => {
      await gate();
      bound.set(sessionId, agentIds);
    },
  });
  Object.assign(provider.capabilities, { fork: true, forkAtTurn: true });
  return { provider, bound };
}
