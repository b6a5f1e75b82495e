import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../setup/paths.mjs';

/*
 * These tests run real agents, browsers and servers beside each other, on machines that may be busy with other things.
 * A file that failed in such a crowd is run once more, alone. That it needed this is printed at the end of the run: it
 * is a defect of the test or of the product, and to be found. `LIMINAL_TRY_ONCE=1` turns the second try off.
 */
const steps = ['integration', 'browser'];
/** More than these are no accident. */
const mostFiles = 3;
const failedFile = inRoot('node_modules', '.cache', 'liminal', 'failed-tests.json');

/** @param {readonly string[]} files by their paths from the root */
export function rememberFailed(files) {
  mkdirSync(path.dirname(failedFile), { recursive: true });
  writeFileSync(failedFile, JSON.stringify(files));
}

/** What an earlier run has left says nothing about this one. */
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
