import {
  fail,
  ok,
  type Choice,
  type Result,
  type SessionInfo,
  type SessionOptions,
  type SetEffortBody,
  type SetModeBody,
  type SetModelBody,
} from '@liminal/contracts';
import { isDangerousMode } from '@liminal/domain/modes/is-dangerous-mode';
import type { CliProvider } from '../../providers/provider.ts';
import { attempt } from './attempt.ts';
import { confirmMode } from './remembered-options.ts';
import type { SessionServiceDeps } from './session-service.ts';

type Kind = {
  readonly option: keyof Pick<SessionOptions, 'modelId' | 'modeId' | 'effort'>;
  readonly offered: (info: SessionInfo) => readonly Choice[] | undefined;
  readonly set: (provider: CliProvider) => ((sessionId: string, value: string) => Promise<void>) | undefined;
};

const kinds = {
  model: { option: 'modelId', offered: (info) => info.models, set: (provider) => provider.setModel?.bind(provider) },
  mode: { option: 'modeId', offered: (info) => info.modes, set: (provider) => provider.setMode?.bind(provider) },
  effort: { option: 'effort', offered: (info) => info.efforts, set: (provider) => provider.setEffort?.bind(provider) },
} satisfies Record<string, Kind>;

/** The user's choices for a session: stored, and applied again whenever its agent restarts. */
export function createSessionChoices({ roster, preferences }: SessionServiceDeps) {
  const choose = (
    sessionId: string,
    name: keyof typeof kinds,
    value: string,
    confirm = false,
  ): Promise<Result<SessionInfo>> =>
    attempt(() =>
      roster.with(sessionId, async ({ shell, link }) => {
        const kind: Kind = kinds[name];
        const set = kind.set(link.provider);
        if (!set) return fail('NOT_SUPPORTED', `${link.provider.name} doesn't let you choose the ${name}.`);
        const offered = kind.offered(shell.info());
        if (offered && !offered.some((choice) => choice.id === value)) {
          const known = offered.map((choice) => choice.id).join(', ');
          return fail('INVALID_REQUEST', `The agent has no ${name} "${value}". It offers: ${known}.`);
        }
        const mode = name === 'mode' ? (offered?.find((choice) => choice.id === value) ?? { id: value }) : undefined;
        const confirmed = confirmMode(mode, link.provider, confirm);
        if (!confirmed.ok) return confirmed;
        const isSent = await link.choose(() => set(sessionId, value));
        await shell.patch((row) => ({ ...row, options: { ...row.options, [kind.option]: value } }));
        // The agent may have started with the old choice while the new one was being written.
        if (!isSent) await link.choose(() => set(sessionId, value));
        const { projectId, cliType } = shell.row();
        if (!mode || !isDangerousMode(mode)) await preferences.remember(projectId, cliType, { [kind.option]: value });
        return ok(shell.info());
      }),
    );
  return {
    setModel: (sessionId: string, { modelId }: SetModelBody) => choose(sessionId, 'model', modelId),
    setMode: (sessionId: string, { modeId, confirm }: SetModeBody) => choose(sessionId, 'mode', modeId, confirm),
    setEffort: (sessionId: string, { effort }: SetEffortBody) => choose(sessionId, 'effort', effort),
  };
}
