import { asRecord, asNonEmptyString, inTable } from '../../kit/read-json.ts';

/** How an agent deviates from the protocol, known from the name it gives itself. */
export type AgentQuirks = {
  /** Its chunks without a message id are notes and errors, not its answer. */
  readonly notesLackIds: boolean;
  /** By option id: what an answer means beyond its name, and where it is stored. */
  readonly optionTexts: Readonly<Record<string, string>>;
};

const none: AgentQuirks = { notesLackIds: false, optionTexts: {} };

const codexOptionTexts = {
  cancel: 'This ends the turn.',
  accept_execpolicy_amendment: "Applies to every project. Stored in Codex's rules/default.rules.",
  allow_for_session: 'For this session only.',
  // For a tool of an MCP server.
  allow_session: 'For this session only.',
  allow_always: 'Applies to every later session. Stored in the config.toml that configures this server.',
};

const claudeKeeps =
  "Stored where Claude Code suggests: for this session only, or in this project's .claude/settings.local.json.";
/** The first name is from versions before 0.50. */
const claudeOptionTexts = { allow_always: claudeKeeps, 'allow-with-updates': claudeKeeps };

/** Keyed by `agentInfo.name`, so an agent is recognised however a user configured it. */
const byName: Readonly<Record<string, AgentQuirks>> = {
  '@agentclientprotocol/codex-acp': { notesLackIds: true, optionTexts: codexOptionTexts },
  '@agentclientprotocol/claude-agent-acp': { notesLackIds: false, optionTexts: claudeOptionTexts },
  '@zed-industries/claude-agent-acp': { notesLackIds: false, optionTexts: claudeOptionTexts },
};

/** Reads the answer to `initialize`. */
export function quirksOf(initialized: unknown): AgentQuirks {
  return inTable(byName, asNonEmptyString(asRecord(asRecord(initialized)['agentInfo'])['name']) ?? '') ?? none;
}
