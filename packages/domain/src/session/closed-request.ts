import type { PermissionRequest } from '@liminal/contracts';

/**
 * A closed request as readers receive it: what it was about, without what was needed only to decide. Arguments and diffs
 * may be large, and every closing is held for readers that come back.
 */
export function closedRequest(request: PermissionRequest): PermissionRequest {
  const { toolArguments: _arguments, diffs: _diffs, description: _description, ...rest } = request;
  const { questions: _questions, schema: _schema, ...closed } = rest;
  return closed;
}
