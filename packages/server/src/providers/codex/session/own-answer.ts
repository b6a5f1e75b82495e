import type { Loose } from '../../kit/read-json.ts';
import type { SessionHub } from '../../kit/session-hub.ts';
import type { CodexChoices } from './codex-choices.ts';
import { type CodexCommand, serversText, statusText } from './codex-commands.ts';

/** A command that Codex leaves to its client. */
export type OwnCommand = Exclude<CodexCommand, { kind: 'message' | 'turn' }>;

export type AnswerDeps = {
  readonly hub: Pick<SessionHub, 'info' | 'learn'>;
  readonly choices: Pick<CodexChoices, 'isPlanning' | 'plan'>;
  readonly threadId: string;
  readonly cwd: string;
  ask(method: string, params: unknown): Promise<Loose>;
};

/** Runs such a command, and returns the answer as text. */
export async function answerOf(command: OwnCommand, { hub, choices, threadId, cwd, ask }: AnswerDeps): Promise<string> {
  switch (command.kind) {
    case 'plan':
      choices.plan(!choices.isPlanning);
      hub.learn({ isPlanning: choices.isPlanning });
      return choices.isPlanning
        ? 'Plan mode is on: Codex plans and changes nothing. Send `/plan` again to leave it.'
        : 'Plan mode is off.';
    case 'status':
      return statusText(hub.info, threadId, cwd);
    case 'mcp':
      return serversText(hub.info);
    case 'rename':
      await ask('thread/name/set', { threadId, name: command.title });
      hub.learn({ title: command.title });
      return `Renamed this session to “${command.title}” in Codex.`;
    case 'usage':
      return command.text;
  }
}
