import type { PermissionRequest } from '@liminal/contracts';

/**
 * A request as it is told once it is closed: what it was about, without what was needed only to decide. Arguments and
 * diffs may be large, and every closing is held for readers that come back.
 */
export function closedRequest(request: PermissionRequest): PermissionRequest {
  const { toolArguments: _arguments, diffs: _diffs, description: _description, ...told } = request;
  const { questions: _questions, schema: _schema, ...rest } = told;
  return rest;
}
