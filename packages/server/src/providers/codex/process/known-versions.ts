/** Codex changes its own protocol with its versions. These are the ones whose protocol this build was tested with. */
const known = [/^0\.166\./];

export const isKnownVersion = (version: string): boolean => known.some((pattern) => pattern.test(version));

/** The version in what `initialize` answers (`liminal-builder/0.166.0 (Debian …) …`) or `codex --version` prints. */
export function versionIn(text: string): string | undefined {
  return /(?:^|[/\s])v?(\d+\.\d+\.\d+\S*)/.exec(text)?.[1];
}

export const versionSentence = (version: string | undefined): string =>
  `Codex ${version ?? 'of an unknown version'} may speak another protocol than this version of Liminal Builder, so it is used through its adapter.`;
