const testFiles =
  /^(package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|Makefile)$/;

/** Three first messages that fit a project, by the files in its folder. */
export function suggestedPrompts(files: readonly string[], hasGit: boolean): readonly string[] {
  const names = files.map((path) => path.split('/').at(-1) ?? '');
  const readme = files.find((path) => /^readme(\.\w+)?$/i.test(path));
  const fitting = [
    readme === undefined
      ? 'Explain how this project is organised.'
      : `Read @${readme} and the code, and explain how this project works.`,
    ...(names.some((name) => testFiles.test(name)) ? ['Run the tests and fix what fails.'] : []),
    ...(hasGit ? ['Review the uncommitted changes and point out problems.'] : []),
    'Suggest three small improvements. Change nothing yet.',
    'Find TODO comments and list what they are about.',
  ];
  return fitting.slice(0, 3);
}
