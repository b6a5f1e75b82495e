import type { PermissionOption } from '@liminal/contracts';
import type { PermissionSuggestion } from '../process/claude-sdk.ts';
import { inTable } from '../../kit/read-json.ts';

/** A lasting permission a user may give: what it says, and what is sent to Claude Code. */
export type LastingPermission = {
  readonly option: PermissionOption;
  readonly updates: readonly PermissionSuggestion[];
};

/** What was asked about, as far as it decides which suggestions help. */
export type AskedAbout = {
  readonly toolName: string;
  readonly blockedPath: string | undefined;
  readonly trusted: boolean;
};

/**
 * One lasting permission for each suggestion that really prevents the same question, each with the directories that
 * are suggested beside it. In a folder nobody trusts its settings are not read, so there everything is kept for this
 * session only (decision 17).
 */
export function lastingPermissions(
  suggestions: readonly PermissionSuggestion[],
  asked: AskedAbout,
): LastingPermission[] {
  const kept = (suggestion: PermissionSuggestion): PermissionSuggestion =>
    asked.trusted ? suggestion : { ...suggestion, destination: 'session' };
  const directories = suggestions.filter(
    (suggestion) => suggestion.type === 'addDirectories' && suggestion.directories.length > 0,
  );
  return suggestions.flatMap((suggestion, index): LastingPermission[] => {
    const what = whatOf(suggestion);
    if (what === undefined || !prevents(suggestion, suggestions, asked)) return [];
    return [
      {
        option: {
          optionId: `always-${index}`,
          kind: 'allow_always',
          name: what,
          description: [placeOf(kept(suggestion)), ...directories.map((added) => directoriesOf(kept(added)))].join(' '),
        },
        updates: [suggestion, ...directories].map(kept),
      },
    ];
  });
}

/**
 * Found out by trying: where a path is in question, a rule for the command does not help, unless Claude Code counts the
 * command among those that edit files, which shows in its offering the mode for edits too. For a redirection nothing
 * it suggests helps; for reading elsewhere, only the rule for reading.
 */
function prevents(suggestion: PermissionSuggestion, all: readonly PermissionSuggestion[], asked: AskedAbout): boolean {
  if (asked.blockedPath === undefined || all.some(({ type }) => type === 'setMode')) return true;
  return suggestion.type === 'addRules' && suggestion.rules.every(({ toolName }) => toolName !== asked.toolName);
}

function whatOf(suggestion: PermissionSuggestion): string | undefined {
  switch (suggestion.type) {
    case 'addRules':
    case 'replaceRules': {
      if (suggestion.behavior !== 'allow' || suggestion.rules.length === 0) return undefined;
      const rules = suggestion.rules.map(({ toolName, ruleContent }) =>
        ruleContent === undefined ? `every use of ${toolName}` : `${toolName}(${ruleContent})`,
      );
      return `Always allow ${rules.join(', ')}`;
    }
    case 'setMode':
      return inTable(modeTexts, suggestion.mode) ?? `Switch to "${suggestion.mode}" mode`;
    case 'addDirectories':
    case 'removeDirectories':
    case 'removeRules':
      return undefined;
  }
}

/** The directories that a lasting permission opens beside what its name says: nobody gives them away unseen. */
function directoriesOf(suggestion: PermissionSuggestion): string {
  if (suggestion.type !== 'addDirectories') return '';
  const { directories } = suggestion;
  const which = `the ${directories.length === 1 ? 'directory' : 'directories'} ${directories.join(', ')}`;
  return `Also lets it work in ${which}. ${placeOf(suggestion)}`;
}

const modeTexts: Readonly<Record<string, string>> = {
  acceptEdits: 'Allow edits this session',
  bypassPermissions: 'Allow everything without asking',
  default: 'Ask before each step',
  plan: 'Switch to plan mode',
};

function placeOf({ destination }: PermissionSuggestion): string {
  switch (destination) {
    case 'session':
    case 'cliArg':
      return 'For this session only.';
    case 'localSettings':
      return 'For you, in this folder. Stored in .claude/settings.local.json.';
    case 'projectSettings':
      return 'For everyone who uses this folder. Stored in .claude/settings.json.';
    case 'userSettings':
      return 'For all your folders. Stored in your Claude Code settings.';
  }
}
