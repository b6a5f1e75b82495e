import { suggestCommitMessage } from './suggest-commit-message.ts';

/** What to ask the agent when its branch and the target branch changed the same lines. */
export function resolveConflictsMessage(base: string, branch: string, files: readonly string[]): string {
  const names = files.map((file) => `- \`${file}\``).join('\n');
  return [
    `Merge the branch \`${base}\` into this branch (\`${branch}\`). Both changed the same lines of:`,
    names,
    'Resolve the conflicts so both changes still do what they were meant to do. Run the tests if there are any, then commit the merge.',
  ].join('\n\n');
}

/** A draft of a pull request: titled like the session or its first commit, and listing the commits, oldest first. */
export function suggestPullRequest(
  title: string,
  subjects: readonly string[],
): { readonly title: string; readonly body: string } {
  const named = suggestCommitMessage(title, []);
  return {
    title: named === '' ? (subjects.at(-1) ?? '') : named,
    body:
      subjects.length < 2
        ? ''
        : subjects
            .toReversed()
            .map((subject) => `- ${subject}`)
            .join('\n'),
  };
}
