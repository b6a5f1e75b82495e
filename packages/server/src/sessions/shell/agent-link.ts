import type { PermissionAnswer, Result, SessionInfo, TurnEvent, UpsertObject } from '@liminal/contracts';
import type { Message } from '@liminal/domain/session/session';
import type { CliProvider, LoadOptions, PermissionSignal, UpsertDetail } from '../../providers/provider.ts';
import { asProviderError, ProviderError } from '../../providers/provider-error.ts';
import { createAgentLifecycle } from './agent-lifecycle.ts';

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

export type SendOutcome =
  | { readonly type: 'sent' }
  /** Nobody wanted the message any more by the time the agent was ready; nothing was sent. */
  | { readonly type: 'unwanted' }
  /** The agent could not be started or resumed. */
  | { readonly type: 'not-started'; readonly error: ProviderError }
  | { readonly type: 'failed'; readonly error: ProviderError };

export type AgentLink = {
  isAlive(): boolean;
  /** A process lives, or one is being started. */
  isStartedOrStarting(): boolean;
  /** Notifies the agent of a choice if it is there; false when it was not, and starts with what is kept of it. */
  choose(set: () => Promise<void>): Promise<boolean>;
  listen(listeners: AgentListeners): void;
  /** Starts or resumes the agent when it is not there. */
  wake(): Promise<void>;
  send(message: Message, sending: Sending): Promise<SendOutcome>;
  steer(message: Message): Promise<void>;
  cancel(): Promise<void>;
  resolve(answer: PermissionAnswer): Promise<void>;
  /** Ends the process, and one that is being started; the session itself stays. */
  kill(): Promise<void>;
  /** Ends the process for good: nothing starts one for this session again. */
  close(): Promise<void>;
  /** It has work that must not be put to sleep. */
  hasBackgroundWork(): boolean;
  readonly provider: CliProvider;
};

/** One session's line to its agent: wakes it when needed, and passes on what it says. */
export function createAgentLink(
  provider: CliProvider,
  sessionId: string,
  /** What the agent is to be started with now, or why it may not start. */
  startOptions: () => Result<LoadOptions>,
  onWoken: () => void = () => {},
): AgentLink {
  const lifecycle = createAgentLifecycle({ provider, sessionId, startOptions, onWoken });
  /** Messages that wait for the agent to be there, and those it is being handed. */
  let awaitingAgent = 0;
  let givenUp = Promise.withResolvers<void>();
  let handingOver = 0;
  let cancelledMeanwhile = false;

  const giveUp = (): void => {
    givenUp.resolve();
    givenUp = Promise.withResolvers();
  };
  const handOver = async (message: Message): Promise<void> => {
    const images = message.images.length > 0 ? { images: [...message.images] } : {};
    handingOver += 1;
    cancelledMeanwhile = false;
    const options = { turnId: message.turnId, ...images };
    try {
      await lifecycle.unlessKilled(() => provider.sendMessage(sessionId, message.content, options));
    } finally {
      handingOver -= 1;
    }
    // An agent that did not know the turn yet could not stop it: it is asked again now that it does.
    if (cancelledMeanwhile) await provider.cancelTurn(sessionId).catch(() => {});
  };

  return {
    provider,
    isAlive: () => provider.isAlive(sessionId),
    isStartedOrStarting: () => provider.isAlive(sessionId) || lifecycle.isWaking() || handingOver > 0,
    async choose(set) {
      if (provider.isAlive(sessionId)) {
        await set();
        return true;
      }
      // Some agents start only with the message itself; until then they take a choice for when they do.
      if (handingOver > 0) await set().catch(() => {});
      return false;
    },
    listen: lifecycle.listen,
    wake: lifecycle.wake,
    async send(message, { isWanted, agentIsThere }) {
      let isThere = false;
      try {
        awaitingAgent += 1;
        await Promise.race([lifecycle.wake(), givenUp.promise]).finally(() => (awaitingAgent -= 1));
        if (!isWanted()) return { type: 'unwanted' };
        await lifecycle.wake();
        await agentIsThere();
        if (!isWanted()) return { type: 'unwanted' };
        // Some agents start only with the message itself.
        isThere = provider.isAlive(sessionId);
        await handOver(message);
        return { type: 'sent' };
      } catch (thrown) {
        const error = asProviderError(thrown, 'PROCESS_CRASH', 'The message could not be handed to the agent.');
        return { type: isThere ? 'failed' : 'not-started', error };
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
      await lifecycle.kill();
    },
    async close() {
      giveUp();
      await lifecycle.close();
    },
    hasBackgroundWork: () => provider.hasBackgroundWork?.(sessionId) ?? false,
  };
}
