/** Usual commands by the name of a file in the project. The file itself isn't read. */
const usual: readonly (readonly [file: string, setup: string, check: string])[] = [
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile', 'pnpm test'],
  ['yarn.lock', 'yarn install --immutable', 'yarn test'],
  ['bun.lock', 'bun install --frozen-lockfile', 'bun test'],
  ['package-lock.json', 'npm ci', 'npm test'],
  ['package.json', 'npm install', 'npm test'],
  ['uv.lock', 'uv sync', 'uv run pytest'],
  ['Cargo.toml', 'cargo fetch', 'cargo test'],
  ['go.mod', 'go mod download', 'go test ./...'],
  ['Gemfile.lock', 'bundle install', 'bundle exec rake'],
  ['mix.exs', 'mix deps.get', 'mix test'],
];

export type SuggestedCommands = { readonly setupCommand: string; readonly checkCommand: string };

/** Suggested commands; none is saved unless the user chooses it. */
export function suggestCommands(names: readonly string[]): SuggestedCommands | null {
  const found = usual.find(([file]) => names.includes(file));
  return found === undefined ? null : { setupCommand: found[1], checkCommand: found[2] };
}
