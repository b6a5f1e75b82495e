import type { PermissionAnswer, Result } from '@liminal/contracts';
import type { Outcome } from '@liminal/domain/session/outcome';
import type { Message } from '@liminal/domain/session/session';
import type { CliProvider, LoadOptions } from '../../providers/provider.ts';
import { asProviderError, ProviderError } from '../../providers/provider-error.ts';
import type { AgentEvent } from './agent-event.ts';
import { createAgentLifecycle } from './agent-lifecycle.ts';

export type AgentLink = {
  isAlive(): boolean;
  /** A process lives, or one is being started. */
  isStartedOrStarting(): boolean;
  /** Notifies the agent of a choice if it is there; false when it was not, and starts with what is kept of it. */
  choose(set: () => Promise<void>): Promise<boolean>;
  /** From now on everything the agent says comes here, in its order. */
  listen(listener: (event: AgentEvent) => void): void;
  /** Starts or resumes the agent when it is not there. */
  wake(): Promise<void>;
  /** Starts or resumes the agent for a message. A cancel or kill meanwhile stops the wait. */
  wakeFor(message: Message): Promise<Outcome>;
  send(message: Message): Promise<Outcome>;
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
  /** Resolves when this turn's message may go in: the folder is recorded first. */
  beforeTurn: (turnId: string) => Promise<void> = () => Promise.resolve(),
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
      await beforeTurn(message.turnId);
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
    async wakeFor(message) {
      const { turnId } = message;
      const ready: Outcome = { type: 'agent-ready', message };
      const stopped: Outcome = { type: 'sending-stopped', turnId };
      awaitingAgent += 1;
      try {
        return await Promise.race([lifecycle.wake().then(() => ready), givenUp.promise.then(() => stopped)]);
      } catch (thrown) {
        return { type: 'not-started', turnId, error: notHandedOver(thrown) };
      } finally {
        awaitingAgent -= 1;
      }
    },
    async send(message) {
      // Some agents start only with the message itself.
      const type = provider.isAlive(sessionId) ? 'not-sent' : 'not-started';
      try {
        await handOver(message);
        return { type: 'done' };
      } catch (thrown) {
        return { type, turnId: message.turnId, error: notHandedOver(thrown) };
      }
    },
    async steer(message) {
      if (!provider.steer) throw new ProviderError('NOT_SUPPORTED', "This agent doesn't support steering.");
      const images = message.images.length > 0 ? { images: [...message.images] } : {};
      await provider
        .steer(sessionId, message.content, { turnId: message.turnId, ...images })
        .catch((error: unknown) => {
          throw notHandedOver(error);
        });
    },
    async cancel() {
      // Not handed over yet: the message stops waiting for the agent.
      if (awaitingAgent > 0) return giveUp();
      cancelledMeanwhile = handingOver > 0;
      await provider.cancelTurn(sessionId);
    },
    async resolve(answer) {
      if (!provider.resolvePermission) throw new ProviderError('NOT_SUPPORTED', "This agent doesn't accept answers.");
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

/** The error of a message that the agent did not get. */
export const notHandedOver = (thrown: unknown): ProviderError =>
  asProviderError(thrown, 'PROCESS_CRASH', "The message couldn't be sent to the agent.");
