import type { ReactNode } from 'react';
import { Inspector } from './features/inspector/inspector.tsx';
import { AuditPanel } from './features/permissions/audit-panel.tsx';

/** The inspector with the parts that other features provide. */
export default function InspectorPanel(): ReactNode {
  return <Inspector decisions={<AuditPanel />} />;
}
