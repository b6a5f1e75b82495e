import type { PermissionAnswer, Result } from '@liminal/contracts';
import type { Outcome } from '@liminal/domain/session/outcome';
import type { Message } from '@liminal/domain/session/session';
import type { CliProvider, LoadOptions } from '../../providers/provider.ts';
import { asProviderError, ProviderError } from '../../providers/provider-error.ts';
import type { AgentEvent } from './agent-event.ts';
import { createAgentLifecycle } from './agent-lifecycle.ts';

export type AgentLink = {
  isAlive(): boolean;
  /** A process is alive or being started. */
  isStartedOrStarting(): boolean;
  /** Passes a choice to the agent if it is running; false if not, since it will start with the stored choices. */
  choose(set: () => Promise<void>): Promise<boolean>;
  /** From now on sends everything the agent reports to the listener, in order. */
  listen(listener: (event: AgentEvent) => void): void;
  /** Starts or resumes the agent if it isn't running. */
  wake(): Promise<void>;
  /** Starts or resumes the agent for a message. A cancel or kill meanwhile stops the wait. */
  wakeFor(message: Message): Promise<Outcome>;
  send(message: Message): Promise<Outcome>;
  steer(message: Message): Promise<void>;
  cancel(): Promise<void>;
  resolve(answer: PermissionAnswer): Promise<void>;
  /** Ends the process, even one that is being started; the session itself stays. */
  kill(): Promise<void>;
  /** Ends the process for good: nothing starts one for this session again. */
  close(): Promise<void>;
  /** Putting the agent to sleep would end work it does outside turns. */
  hasBackgroundWork(): boolean;
  readonly provider: CliProvider;
};

/** One session's connection to its agent: wakes it when needed, and passes on its events. */
export function createAgentLink(
  provider: CliProvider,
  sessionId: string,
  /** The options to start the agent with, or why it may not start. */
  startOptions: () => Result<LoadOptions>,
  onWoken: () => void = () => {},
  /** Resolves when this turn's message may be sent: the folder is recorded first. */
  beforeTurn: (turnId: string) => Promise<void> = () => Promise.resolve(),
): AgentLink {
  const lifecycle = createAgentLifecycle({ provider, sessionId, startOptions, onWoken });
  /** Messages waiting for the agent to start, and messages being sent to it. */
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
      await lifecycle.unlessKilled(async (failIfKilled) => {
        await beforeTurn(message.turnId);
        failIfKilled();
        await provider.sendMessage(sessionId, message.content, options);
      });
    } finally {
      handingOver -= 1;
    }
    // The agent couldn't cancel a turn it didn't know yet, so ask again now that it does.
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
      // Some agents start only with the message itself; until then they store a choice.
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
      // Not sent yet: stop waiting for the agent.
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

/** The error of a message the agent did not get. */
export const notHandedOver = (thrown: unknown): ProviderError =>
  asProviderError(thrown, 'PROCESS_CRASH', "The message couldn't be sent to the agent.");
