import type { SessionInfo, SessionOptions } from '@liminal/contracts';
import { keepsMode } from '@liminal/domain/modes/keeps-mode';
import type { Fact } from '@liminal/domain/session/fact';
import type { Session } from '@liminal/domain/session/session';

/** Keeps the modes that an agent switches to during its turns, such as after an approved plan. */
export function createModeSwitches() {
  let editsAreApproved = false;
  return {
    facts(facts: readonly Fact[]): void {
      for (const fact of facts) {
        if (fact.type === 'turn-ended') editsAreApproved = false;
        if (fact.type === 'permission-answered' && fact.request.kind === 'plan') {
          const { optionId } = fact.answer;
          const chosen = fact.request.options.find((option) => option.optionId === optionId);
          editsAreApproved = chosen?.kind === 'allow_always';
        }
      }
    },
    /** The user's choices after the agent has reported its info: its next process starts with them. */
    optionsAfter(
      options: SessionOptions,
      before: SessionInfo,
      reported: SessionInfo,
      session: Session,
    ): SessionOptions {
      const { modeId, modes } = reported;
      // Outside turns an agent reports the mode it starts in, before it is sent the user's choice.
      const isInTurn = session.turn?.started === true || session.agentTurn !== null;
      if (!isInTurn || options.modeId === undefined || modeId === undefined || modeId === before.modeId) return options;
      const mode = modes?.find(({ id }) => id === modeId) ?? { id: modeId };
      return keepsMode(mode, editsAreApproved) ? { ...options, modeId } : options;
    },
  };
}
