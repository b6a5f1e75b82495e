import { delimiter, join } from 'node:path';
import { programFolder } from '../../../program/program-files.ts';

/** Where the `git` lies that Claude Code finds before the real one, in a folder nobody has trusted (decision 30). */
const shims = join(programFolder, 'packages', 'server', 'shims');

/**
 * For Claude Code in a folder that is not trusted. What it asks git for by itself is refused: git would follow the
 * repository's configuration to files anywhere. A git command that a person allowed runs, but starts no monitor and no
 * hook of the repository. (Filters cannot be named beforehand: that is what the question is for.)
 */
export function untrustedGit(env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: [shims, env['PATH'] ?? ''].filter(Boolean).join(delimiter),
    GIT_CONFIG_COUNT: '3',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_CONFIG_KEY_1: 'core.hooksPath',
    GIT_CONFIG_VALUE_1: '/dev/null',
    GIT_CONFIG_KEY_2: 'log.showSignature',
    GIT_CONFIG_VALUE_2: 'false',
  };
}
