import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from '../setup/paths.mjs';
import { rememberDurations } from './durations.mjs';
import { rememberFailed } from './second-try.mjs';

/**
 * Records how long each test file took, so the next run starts the longest first and `npm test` lists the slowest. Also
 * records which ones failed.
 */
export class DurationReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ranAt = Date.now();
    const pathOf = ({ moduleId }: TestModule): string => path.relative(root, moduleId);
    rememberFailed(modules.filter((module) => module.state() === 'failed').map(pathOf));
    const whole = modules.filter((module) =>
      [...module.children.allTests()].every((one) => one.result().state !== 'skipped'),
    );
    for (const [project, ofProject] of Map.groupBy(whole, (module) => module.project.name)) {
      const durations = ofProject.map((module) => [pathOf(module), { ms: durationOf(module), ranAt }] as const);
      rememberDurations(project, Object.fromEntries(durations));
    }
  }
}

function durationOf(module: TestModule): number {
  const { collectDuration, setupDuration, environmentSetupDuration, duration } = module.diagnostic();
  return Math.round(collectDuration + setupDuration + environmentSetupDuration + duration);
}
