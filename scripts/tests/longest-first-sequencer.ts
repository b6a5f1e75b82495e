import { statSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../setup/paths.mjs';
import { expectedDurations } from './durations.mjs';
import { longestFirst } from './order-files.mjs';

/** Starts the longest test files first. */
export class LongestFirstSequencer extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weighed = files.map((specification) => ({
      specification,
      path: path.relative(root, specification.moduleId),
      bytes: statSync(specification.moduleId, { throwIfNoEntry: false })?.size ?? 0,
    }));
    return Promise.resolve(longestFirst(weighed, expectedDurations()).map(({ specification }) => specification));
  }
}
