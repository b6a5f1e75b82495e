import type { PermissionOption } from '@liminal/contracts';
import type { PermissionSuggestion } from '../process/claude-sdk.ts';
import { inTable } from '../../kit/read-json.ts';

/** A permanent permission a user may grant: its text, and what is sent to Claude Code. */
export type LastingPermission = {
  readonly option: PermissionOption;
  readonly updates: readonly PermissionSuggestion[];
};

/** The parts of a request that decide which suggestions help. */
export type AskedAbout = {
  readonly toolName: string;
  readonly blockedPath: string | undefined;
  readonly trusted: boolean;
};

/**
 * One permanent permission for each suggestion that really prevents the same question, each with the directories
 * suggested beside it. In an untrusted folder its settings aren't read, so everything is for this session only
 * (decision 17).
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
 * Found by experiment. Where a path is in question, a rule for the command doesn't help, unless Claude Code treats the
 * command as one that edits files; it then also offers the mode for edits. For a redirection no suggestion helps; for
 * reading elsewhere, only the read rule.
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

/** The directories that a permanent permission opens beyond its name, so nobody grants them unseen. */
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
