import { sameValue } from '@liminal/domain/timeline/same-value';
import { afterEach, beforeEach, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../testing/test-cluster.ts';
import { patience } from '../../reliability/testing/torture.ts';
import { directoryContract } from '../../bus/directory.contract.ts';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startTestCluster(2);
});
afterEach(() => cluster.close());

directoryContract('Redis, from one machine to another', () => {
  const [writer, reader] = cluster.nodes.map((node) => node.cluster.directory);
  const shown = (directory: typeof writer) =>
    directory!
      .all()
      .map(({ node: _node, ...rest }) => rest)
      .toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const settle = () =>
    vi.waitFor(() => {
      if (!sameValue(shown(writer), shown(reader))) throw new Error('the two do not agree yet');
    }, patience);
  return { writer: writer!, reader: reader!, settle };
});
