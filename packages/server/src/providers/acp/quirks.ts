import { asRecord, asWord, inTable } from '../loose.ts';

/** What an agent does otherwise than the protocol says, known from the name it gives itself. */
export type AgentQuirks = {
  /** Its chunks without a message id are notes and errors, not its answer. */
  readonly notesLackIds: boolean;
  /** By the id of an answer it offers: what that means beyond its name, and where it is kept. */
  readonly optionWords: Readonly<Record<string, string>>;
};

const none: AgentQuirks = { notesLackIds: false, optionWords: {} };

const codexOptionWords = {
  cancel: 'This ends the turn.',
  accept_execpolicy_amendment: 'Kept for every project, in rules/default.rules of Codex’s own folder.',
  allow_for_session: 'Kept for this session only.',
};

/** Keyed by `agentInfo.name`, so that an agent is known however a person configured it. */
const byName: Readonly<Record<string, AgentQuirks>> = {
  '@agentclientprotocol/codex-acp': { notesLackIds: true, optionWords: codexOptionWords },
};

/** Reads the answer to `initialize`. */
export function quirksOf(initialized: unknown): AgentQuirks {
  return inTable(byName, asWord(asRecord(asRecord(initialized)['agentInfo'])['name']) ?? '') ?? none;
}
