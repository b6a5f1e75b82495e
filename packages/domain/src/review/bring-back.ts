import { suggestCommitMessage } from './suggest-commit-message.ts';

/** What an agent is asked when its branch and the one it goes back into changed the same lines. */
export function resolveConflictsMessage(base: string, branch: string, files: readonly string[]): string {
  const names = files.map((file) => `- \`${file}\``).join('\n');
  return [
    `Merge the branch \`${base}\` into this branch (\`${branch}\`). Both changed the same lines of:`,
    names,
    'Resolve the conflicts so that both changes keep their purpose. Run the tests if there are any, then commit the merge.',
  ].join('\n\n');
}

/** What a pull request begins with: the session's title, else its only commit; its commits, oldest first. */
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
