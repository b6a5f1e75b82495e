import type { ProviderRegistry } from '../../providers/registry.ts';
import type { Store } from '../../store/store.ts';

/** Asks the agent's own record about a message that was being sent when the last server ended. */
export async function askRecord(
  registry: ProviderRegistry,
  store: Store,
  turn: { readonly sessionId: string; readonly turnId: string },
): Promise<boolean | null> {
  const session = store.session(turn.sessionId);
  const provider = registry.all().find(({ cliType }) => cliType === session?.cliType);
  const project = store.projects().find(({ projectId }) => projectId === session?.projectId);
  const projectDir = session?.place?.folder ?? project?.dir;
  const options = projectDir === undefined ? {} : { projectDir };
  try {
    return (await provider?.wasReceived?.(turn.sessionId, turn.turnId, options)) ?? null;
  } catch {
    return null;
  }
}
