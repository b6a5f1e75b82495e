import type { ReactNode } from 'react';
import { useDirectory } from '../../state/workbench/use-workbench.ts';
import './machines.css';

/** Shows in the sidebar that other machines are unreachable, and why. Work on this one continues. */
export function ClusterLine(): ReactNode {
  const { cluster } = useDirectory();
  if (cluster?.state !== 'apart') return null;
  return (
    <p className="cluster-line" role="status">
      {`Can't reach other machines. Sessions on this one keep running. ${cluster.reason ?? ''}`}
    </p>
  );
}
