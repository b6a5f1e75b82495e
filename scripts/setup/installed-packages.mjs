import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} LockedPackage
 * @property {boolean} [link]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 */

/**
 * @param {string[] | undefined} allowed as in package.json: names, or names with a ! before them
 * @param {string} own
 */
const isFor = (allowed, own) =>
  allowed === undefined ||
  (!allowed.includes(`!${own}`) && (allowed.includes(own) || allowed.every((name) => name.startsWith('!'))));

/**
 * Where npm puts the packages of a lockfile on this machine.
 * @param {string} lockfile its text
 * @param {{ platform: string, arch: string }} machine
 */
export function expectedPackages(lockfile, { platform, arch }) {
  const { packages = {} } = /** @type {{ packages?: Record<string, LockedPackage> }} */ (JSON.parse(lockfile));
  return Object.entries(packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && link !== true)
    .filter(([, { os, cpu }]) => isFor(os, platform) && isFor(cpu, arch))
    .map(([place]) => place);
}

/**
 * How many of them npm has unpacked so far.
 * @param {string} root
 * @param {string[]} expected
 */
export const countUnpacked = (root, expected) =>
  expected.filter((place) => existsSync(path.join(root, place, 'package.json'))).length;
