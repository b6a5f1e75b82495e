import { type ExportFormat, SessionExport } from '@liminal/contracts';
import { pickFile, saveFile } from '../../browser/save-file.ts';
import type { Api } from '../../connection/api.ts';
import type { ApiFailure, ApiResult } from '@liminal/client/call-routes';
import type { DirectoryStore } from './directory-store.ts';
import type { TabsStore } from '../layout/tabs-store.ts';
import { titleOf } from '../sessions/titles.ts';
import { createCell, type Cell } from '../base/cell.ts';

type BackgroundActionsDeps = {
  readonly api: Pick<Api['session'], 'cancel' | 'export' | 'patch' | 'send' | 'sentMessage'>;
  readonly newId: () => string;
  readonly importInto: Api['project']['importSession'];
  readonly directory: DirectoryStore;
  readonly failures: FailureStore;
  readonly tabs: TabsStore;
  readonly showWhenReady: () => (sessionId: string) => void;
};

const exportTypes: Record<ExportFormat, string> = {
  md: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
};

/** Actions from a menu, the palette or a key, where nothing waits for the answer: failures are reported. */
export function backgroundActions(deps: BackgroundActionsDeps) {
  const { api, newId, importInto, directory, failures, tabs } = deps;
  const report = (failure: ApiFailure | null, what: string): boolean => {
    if (failure === null) failures.dismiss();
    else failures.report(what, failure);
    return failure === null;
  };
  const failureOf = (reply: ApiResult<unknown>): ApiFailure | null => (reply.ok ? null : reply.failure);
  /** Turns whose messages were sent again: a double-click must not send one twice. */
  const retried = new Set<string>();
  const named = (sessionId: string): string => `“${titleOf(directory.get().sessions.get(sessionId))}”`;
  return {
    /** Sends the message of a failed turn again, with its images and mentions. */
    async retryTurn(sessionId: string, turnId: string): Promise<void> {
      const turn = `${sessionId} ${turnId}`;
      if (retried.has(turn)) return;
      retried.add(turn);
      const said = await api.sentMessage(sessionId, turnId);
      const reply = said.ok ? await api.send(sessionId, { ...said.value, clientMessageId: newId() }) : said;
      if (!report(failureOf(reply), `Couldn't retry ${named(sessionId)}.`)) retried.delete(turn);
    },
    async rename(sessionId: string, title: string): Promise<void> {
      report(failureOf(await api.patch(sessionId, { title })), `Couldn't rename ${named(sessionId)}.`);
    },
    /** Archives or restores a session; closes its tab after archiving. */
    async archive(sessionId: string, archived: boolean): Promise<void> {
      const verb = archived ? 'archive' : 'unarchive';
      const isDone = report(
        failureOf(await api.patch(sessionId, { archived })),
        `Couldn't ${verb} ${named(sessionId)}.`,
      );
      if (isDone && archived) tabs.close(sessionId);
    },
    /** Saves a session as a file. */
    async exportSession(sessionId: string, format: ExportFormat): Promise<void> {
      const reply = await api.export(sessionId, { format });
      if (!report(failureOf(reply), `Couldn't export ${named(sessionId)}.`) || !reply.ok) return;
      const name = titleOf(directory.get().sessions.get(sessionId)).replace(/[^\p{L}\p{N}]+/gu, '-');
      saveFile(`${name.slice(0, 60)}.${format}`, reply.value, exportTypes[format]);
    },
    /** Imports a session from a file that the user chooses, and opens it. */
    async importSession(projectId: string, pick = pickFile): Promise<void> {
      const text = await pick('application/json,.json');
      if (text === null) return;
      const what = "Couldn't import the session.";
      const exported = SessionExport.safeParse(parsed(text));
      if (!exported.success) {
        const message = 'This file isn’t a session that was exported as JSON. Choose another one.';
        return void report({ code: 'INVALID_REQUEST', message }, what);
      }
      const show = deps.showWhenReady();
      const reply = await importInto(projectId, exported.data);
      if (report(failureOf(reply), what) && reply.ok) show(reply.value.sessionId);
    },
    async stop(sessionId: string): Promise<void> {
      report(failureOf(await api.cancel(sessionId)), `Couldn't stop ${named(sessionId)}.`);
    },
    async distrust(projectId: string): Promise<void> {
      const name = directory.get().projects.find((project) => project.projectId === projectId)?.name ?? 'the folder';
      report(await directory.trustProject(projectId, false), `Couldn't stop trusting ${name}.`);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What failed, and why; a new object even if the text is the same. */
type ShownFailure = { readonly what: string; readonly why: string };

export type FailureStore = Cell<ShownFailure | null> & {
  /** Reports the failure of an action that has no other place to show it: from a menu or the palette. */
  readonly report: (what: string, failure: ApiFailure) => void;
  readonly dismiss: () => void;
};

/** The last failure without another place to be shown; it stays until it is dismissed, or something succeeds. */
export function createFailureStore(): FailureStore {
  const cell = createCell<ShownFailure | null>(null);
  return {
    ...cell,
    report: (what, failure) => cell.set({ what, why: failure.message }),
    dismiss: () => cell.set(null),
  };
}
