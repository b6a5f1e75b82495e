import type { PermissionAnswer, SessionInfo, TurnEvent, UpsertObject } from '@liminal/contracts';
import type { Message } from '@liminal/domain/session/session';
import type { CliProvider, LoadOptions, PermissionSignal, Unsubscribe, UpsertDetail } from '../providers/provider.ts';
import { asProviderError, ProviderError } from '../providers/provider-error.ts';

export type AgentListeners = {
  upsert(upsert: UpsertObject, how?: UpsertDetail): void;
  turn(event: TurnEvent): void;
  permission(signal: PermissionSignal): void;
  info(patch: SessionInfo): void;
  closed(reason: ProviderError): void;
};

export type Sending = {
  /** Nobody has stopped it meanwhile. */
  isWanted(): boolean;
  /** Called before the agent is handed the message; only then may it have arrived. */
  agentIsThere(): Promise<void>;
};

export type AgentLink = {
  isAlive(): boolean;
  listen(listeners: AgentListeners): void;
  /** Starts or resumes the agent when it is not there. */
  wake(): Promise<void>;
  /** False when the message was no longer wanted by the time the agent was ready; nothing was sent then. */
  send(message: Message, sending: Sending): Promise<boolean>;
  steer(message: Message): Promise<void>;
  cancel(): Promise<void>;
  resolve(answer: PermissionAnswer): Promise<void>;
  /** Ends the process; the session itself stays. */
  kill(): Promise<void>;
  /** It has work that must not be put to sleep. */
  hasBackgroundWork(): boolean;
  readonly provider: CliProvider;
};

/** One session's line to its agent: wakes it when needed, and passes on what it says. */
export function createAgentLink(
  provider: CliProvider,
  sessionId: string,
  loadOptions: () => LoadOptions,
  onWoken: () => void = () => {},
): AgentLink {
  let listeners: AgentListeners | null = null;
  let attached: Unsubscribe[] = [];
  let waking: Promise<void> | null = null;
  /** Messages that wait for the agent to be there, and those it is being handed. */
  let awaitingAgent = 0;
  let givenUp = Promise.withResolvers<void>();
  let handingOver = 0;
  let cancelledMeanwhile = false;

  const detach = () => {
    for (const unsubscribe of attached) unsubscribe();
    attached = [];
  };
  const attach = () => {
    detach();
    if (!listeners) return;
    const { upsert, turn, permission, info, closed } = listeners;
    attached = [
      provider.onTurn(sessionId, turn),
      provider.onUpsert(sessionId, upsert),
      provider.onPermission?.(sessionId, permission),
      provider.onSessionInfo?.(sessionId, info),
      provider.onClosed?.(sessionId, closed),
    ].filter((unsubscribe) => unsubscribe !== undefined);
  };
  const load = async () => {
    await provider.loadSession(sessionId, loadOptions());
    attach();
    onWoken();
  };
  const wake = (): Promise<void> => {
    if (provider.isAlive(sessionId) && attached.length > 0) return Promise.resolve();
    waking ??= load().finally(() => {
      waking = null;
    });
    return waking;
  };

  const giveUp = (): void => {
    givenUp.resolve();
    givenUp = Promise.withResolvers();
  };
  const handOver = async (message: Message): Promise<void> => {
    const images = message.images.length > 0 ? { images: [...message.images] } : {};
    handingOver += 1;
    cancelledMeanwhile = false;
    try {
      await provider.sendMessage(sessionId, message.content, { turnId: message.turnId, ...images });
    } finally {
      handingOver -= 1;
    }
    // An agent that did not know the turn yet could not stop it: it is told again now that it does.
    if (cancelledMeanwhile) await provider.cancelTurn(sessionId).catch(() => {});
  };

  return {
    provider,
    isAlive: () => provider.isAlive(sessionId),
    listen(given) {
      listeners = given;
      if (provider.isAlive(sessionId)) attach();
    },
    wake,
    async send(message, { isWanted, agentIsThere }) {
      try {
        awaitingAgent += 1;
        await Promise.race([wake(), givenUp.promise]).finally(() => (awaitingAgent -= 1));
        if (!isWanted()) return false;
        await wake();
        await agentIsThere();
        if (!isWanted()) return false;
        await handOver(message);
        return true;
      } catch (error) {
        throw asProviderError(error, 'PROCESS_CRASH', 'The message could not be handed to the agent.');
      }
    },
    async steer(message) {
      if (!provider.steer)
        throw new ProviderError('NOT_SUPPORTED', 'This agent takes no messages into a running turn.');
      const images = message.images.length > 0 ? { images: [...message.images] } : {};
      await provider
        .steer(sessionId, message.content, { turnId: message.turnId, ...images })
        .catch((error: unknown) => {
          throw asProviderError(error, 'PROCESS_CRASH', 'The message could not be handed to the agent.');
        });
    },
    async cancel() {
      // Not handed over yet: `send` sees that nobody wants it any more, without waiting for the agent.
      if (awaitingAgent > 0) return giveUp();
      cancelledMeanwhile = handingOver > 0;
      await provider.cancelTurn(sessionId);
    },
    async resolve(answer) {
      if (!provider.resolvePermission) throw new ProviderError('NOT_SUPPORTED', 'This agent takes no answers.');
      await provider.resolvePermission(sessionId, answer);
    },
    async kill() {
      giveUp();
      // Its last words are still heard: what it had said and not yet told would be lost otherwise.
      await provider.killSession(sessionId).finally(detach);
    },
    hasBackgroundWork: () => provider.hasBackgroundWork?.(sessionId) ?? false,
  };
}
