import { moving, unknownProject, type Layouts, type ProjectOf } from './layouts.ts';
import { splitOf, tabsOfSplit } from './splits.ts';
import { noTabs } from './tabs.ts';

/**
 * Moves tabs whose project has become known into it: those of earlier versions, which had one bar for all projects, and
 * those of sessions that were created a moment ago. Tabs in one split stay together. The user keeps seeing what they saw.
 */
export function placed(layouts: Layouts, projectOf: ProjectOf): Layouts {
  const older = layouts.byProject.get(unknownProject) ?? noTabs;
  let next = layouts;
  for (const id of older.open) {
    const split = splitOf(older.splits, id);
    const together = split === undefined ? [id] : tabsOfSplit(split);
    // A split may show sessions of several projects: it belongs to the one that the user looks at.
    const front = together.filter((tab) => tab === older.active);
    const project = [...front, ...together].map(projectOf).find((each) => each !== undefined);
    if (project !== undefined) next = moving(next, together, project, front.length > 0);
  }
  for (const id of layouts.unplaced) {
    const project = projectOf(id);
    if (project === undefined) continue;
    const isBeside = [...next.byProject.values()].some(({ splits }) => splitOf(splits, id) !== undefined);
    if (!isBeside) next = moving(next, [id], project, true);
    next = { ...next, unplaced: next.unplaced.filter((other) => other !== id) };
  }
  const isLeft = next.current === unknownProject && !next.byProject.has(unknownProject);
  const [first] = next.byProject.keys();
  return isLeft && first !== undefined ? { ...next, current: first } : next;
}
