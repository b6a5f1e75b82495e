import type { PermissionRequest } from '@liminal/contracts';

export const permissionRequest = (fields: Partial<PermissionRequest>): PermissionRequest => ({
  requestId: 'r',
  turnId: 't',
  kind: 'tool',
  title: 'Do it',
  options: [],
  openedAt: '2026-01-01T00:00:00.000Z',
  ...fields,
});
