import type { SessionOptions } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import type { Api } from '../../connection/api.ts';
import { isNewSession, type NewSessions } from './new-sessions.ts';

/** Model, mode and effort of a session: sent to the server, or stored for a session that doesn't exist yet. */
export function sessionChoices(
  api: Pick<Api['session'], 'setModel' | 'setMode' | 'setEffort'>,
  newSessions: Pick<NewSessions, 'choose'>,
) {
  const keep = async (id: string, options: SessionOptions, confirm = false): Promise<ApiResult<unknown>> => {
    newSessions.choose(id, options, confirm);
    return { ok: true, value: null };
  };
  return {
    setModel: (id: string, modelId: string): Promise<ApiResult<unknown>> =>
      isNewSession(id) ? keep(id, { modelId }) : api.setModel(id, { modelId }),
    /** `confirm`: the user understands a mode without permission requests. */
    setMode: (id: string, modeId: string, confirm = false): Promise<ApiResult<unknown>> =>
      isNewSession(id) ? keep(id, { modeId }, confirm) : api.setMode(id, { modeId, ...(confirm && { confirm }) }),
    setEffort: (id: string, effort: string): Promise<ApiResult<unknown>> =>
      isNewSession(id) ? keep(id, { effort }) : api.setEffort(id, { effort }),
  };
}
