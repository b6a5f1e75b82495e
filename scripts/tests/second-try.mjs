import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../setup/paths.mjs';

/*
 * These tests run real agents, browsers and servers in parallel, on machines that may be busy with other things. A file
 * that failed is run again, alone. The end of the run lists such files: a second try means a defect in the test or in
 * the product, which must be found. `LIMINAL_TRY_ONCE=1` turns the second try off.
 */
const steps = ['integration', 'browser'];
/** More failures than this are no coincidence. */
const mostFiles = 3;
const failedFile = inRoot('node_modules', '.cache', 'liminal', 'failed-tests.json');

/** @param {readonly string[]} files by their paths from the root */
export function rememberFailed(files) {
  mkdirSync(path.dirname(failedFile), { recursive: true });
  writeFileSync(failedFile, JSON.stringify(files));
}

/** Results of an earlier run don't count. */
export const forgetFailed = () => rmSync(failedFile, { force: true });

/** @returns {string[]} */
export function failedFiles() {
  try {
    return JSON.parse(readFileSync(failedFile, 'utf8'));
  } catch {
    return [];
  }
}

/**
 * Whether these files of a step that failed are to be run once more.
 * @param {string} step
 * @param {readonly string[]} files
 * @param {NodeJS.ProcessEnv} [env]
 */
export function deservesSecondTry(step, files, env = process.env) {
  return env.LIMINAL_TRY_ONCE !== '1' && steps.includes(step) && files.length > 0 && files.length <= mostFiles;
}
