import type { LoadSessionBody } from '@liminal/contracts';
import type { ApiFailure, ApiResult } from '@liminal/client/call-routes';
import type { Api } from '../../connection/api.ts';
import type { CompareStore } from '../compare/compare-store.ts';
import type { PanelStore } from '../layout/panel-store.ts';
import type { TabsStore } from '../layout/tabs-store.ts';
import type { DraftStore } from '../sessions/draft-store.ts';
import type { StartForm } from '../sessions/start-form.ts';

type RequestedSessionsDeps = {
  readonly api: {
    readonly session: Pick<Api['session'], 'load'>;
    readonly workbench: Pick<Api['workbench'], 'startDemo'>;
  };
  readonly tabs: Pick<TabsStore, 'show' | 'showBehind'>;
  readonly panels: Pick<PanelStore, 'inbox' | 'composerFocus'>;
  readonly comparing: Pick<CompareStore, 'shown'>;
  readonly drafts: Pick<DraftStore, 'isEmpty' | 'move'>;
  readonly startForm: Pick<StartForm, 'current'>;
  readonly refresh: () => Promise<void>;
};

/** Sessions that the user requested, and that the server has to create or open before the page can show them. */
export function createRequestedSessions(deps: RequestedSessionsDeps) {
  const { api, tabs, panels, comparing, drafts, startForm } = deps;

  /**
   * Call it with the request. The result shows the session, but leaves a screen open that the user opened meanwhile, and
   * returns whether the session is in front.
   */
  const showWhenReady = (): ((sessionId: string) => boolean) => {
    const screens = (): string => JSON.stringify([panels.inbox.get(), comparing.shown.get()?.compareId]);
    const before = screens();
    return (sessionId) => {
      const isInFront = screens() === before;
      if (isInFront) tabs.show(sessionId);
      else tabs.showBehind(sessionId);
      return isInFront;
    };
  };
  const showCreated = async (
    request: Promise<ApiResult<{ sessionId: string }>>,
    prepare: (sessionId: string) => void = () => {},
  ): Promise<ApiFailure | null> => {
    const show = showWhenReady();
    const reply = await request;
    if (!reply.ok) return reply.failure;
    const { sessionId } = reply.value;
    prepare(sessionId);
    // The user may be typing in the screen in front.
    if (show(sessionId)) panels.composerFocus.set(sessionId);
    void deps.refresh();
    return null;
  };

  return {
    showWhenReady,
    /** Opens the demo; a draft from the first screen moves to its composer. */
    startDemo: (): Promise<ApiFailure | null> =>
      showCreated(api.workbench.startDemo(), (sessionId) => {
        const written = startForm.current.get();
        if (written !== null && !drafts.isEmpty(written)) drafts.move(written, sessionId);
      }),
    /** Opens a session that was created in a terminal, or reopens one that was ended. */
    load: (sessionId: string, body: LoadSessionBody): Promise<ApiFailure | null> =>
      showCreated(api.session.load(sessionId, body)),
  };
}
