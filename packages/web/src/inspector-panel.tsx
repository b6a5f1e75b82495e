import type { ReactNode } from 'react';
import { Inspector } from './features/inspector/inspector.tsx';
import { AuditPanel } from './features/permissions/audit-panel.tsx';

/** The inspector with what other features show in it. */
export default function InspectorPanel(): ReactNode {
  return <Inspector decisions={<AuditPanel />} />;
}
