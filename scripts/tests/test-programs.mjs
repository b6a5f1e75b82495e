import { inRoot } from '../setup/paths.mjs';

/** Where they are built: as deep as packages/server/dist, because their files look for others relative to themselves. */
export const testPrograms = inRoot('packages', 'stand-ins', 'dist');

/** Main files below packages/server/src that tests start in processes of their own. */
export const testEntries = [
  'cluster/testing/cluster-main',
  'reliability/testing/migrate-main',
  'reliability/testing/park-main',
  'reliability/testing/recorded-main',
  'reliability/testing/recording-agent',
  'reliability/testing/review-main',
  'reliability/testing/save-main',
  'reliability/testing/soak-main',
  'reliability/testing/work-main',
];
