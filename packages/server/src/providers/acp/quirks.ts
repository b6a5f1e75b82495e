import { asRecord, asWord } from '../loose.ts';

/** What an agent does otherwise than the protocol says, known from the name it gives itself. */
export type AgentQuirks = {
  /** Its chunks without a message id are notes and errors, not its answer. */
  readonly notesLackIds: boolean;
  /** Refusing a call ends the whole turn, so the refusing option says so. */
  readonly refusalEndsTurn: boolean;
};

const none: AgentQuirks = { notesLackIds: false, refusalEndsTurn: false };

/** Keyed by `agentInfo.name`, so that an agent is known however a person configured it. */
const byName: Readonly<Record<string, AgentQuirks>> = {
  '@agentclientprotocol/codex-acp': { notesLackIds: true, refusalEndsTurn: true },
};

/** Reads the answer to `initialize`. */
export function quirksOf(initialized: unknown): AgentQuirks {
  return byName[asWord(asRecord(asRecord(initialized)['agentInfo'])['name']) ?? ''] ?? none;
}
