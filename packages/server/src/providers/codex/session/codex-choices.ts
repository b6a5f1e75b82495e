import type { Choice, SessionInfo } from '@liminal/contracts';
import { asNonEmptyString, asRecord, type Loose, present } from '../../kit/read-json.ts';
import type { ProviderOptions } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import type { ProcessLog } from '../../../processes/process-log.ts';
import { type CodexModel, modelChoice } from './models.ts';
import { type CodexMode, findMode, isInForce, modeChoices, turnRights } from './modes.ts';

export type ChoiceKind = 'model' | 'mode' | 'effort';

/** The user's choices for one thread. Codex gets them with every message. */
export type CodexChoices = {
  readonly mode: CodexMode;
  readonly isPlanning: boolean;
  /** Codex has listed its models. */
  offer(models: readonly CodexModel[]): void;
  info(): SessionInfo;
  /** Throws `INVALID_REQUEST` if Codex has no such choice. */
  choose(kind: ChoiceKind, value: string): void;
  /** Applies earlier choices: one that is gone must not prevent opening a session, so Codex's own is used instead. */
  recall(options: ProviderOptions, isNew: boolean, log: ProcessLog): void;
  plan(isOn: boolean): void;
  /** For `turn/start`: the rights, unless Codex reported that it has them, and everything the user chose. */
  turnParams(): Loose;
  /** Only the rights of the mode. */
  rights(): object;
};

/** `answer`: the answer to `thread/start`, `thread/resume` or `thread/fork`. */
export function createChoices(answer: Loose, startMode: CodexMode): CodexChoices {
  let models: readonly CodexModel[] = [];
  let modelId = asNonEmptyString(answer['model']) ?? asNonEmptyString(asRecord(answer['thread'])['model']);
  let effort = asNonEmptyString(answer['reasoningEffort']);
  let mode = startMode;
  let isPlanning = false;
  /** Sending rights that Codex already has costs it 20 ms per message. */
  let hasRights = isInForce(startMode, answer);
  /** Only the user's choices are sent: otherwise Codex's own configuration applies. */
  const chosen = { model: false, effort: false, plan: false };

  const modelOf = (id: string | undefined): CodexModel | undefined => models.find((model) => model.id === id);
  const effortOf = (): string | undefined => effort ?? modelOf(modelId)?.defaultEffort;

  function shownModels(): Choice[] {
    const listed = models.map(modelChoice);
    const isListed = modelId === undefined || listed.some(({ id }) => id === modelId);
    return isListed || modelId === undefined ? listed : [{ id: modelId, name: modelId }, ...listed];
  }

  function choose(kind: ChoiceKind, value: string): void {
    switch (kind) {
      case 'model': {
        if (!shownModels().some(({ id }) => id === value)) throw notOffered('model', value);
        modelId = value;
        chosen.model = true;
        // An effort the new model doesn't know is replaced by the model's default. Codex keeps the last one it was sent,
        // so it must be sent that default.
        const { efforts = [], defaultEffort } = modelOf(value) ?? {};
        if (efforts.length === 0 || efforts.some(({ id }) => id === effort)) return;
        effort = defaultEffort;
        chosen.effort ||= defaultEffort !== undefined;
        return;
      }
      case 'mode': {
        const wanted = findMode(value);
        if (!wanted) throw notOffered('mode', value);
        mode = wanted;
        hasRights = false;
        return;
      }
      case 'effort': {
        const efforts = modelOf(modelId)?.efforts ?? [];
        if (!efforts.some(({ id }) => id === value)) throw notOffered('effort', value);
        effort = value;
        chosen.effort = true;
      }
    }
  }

  return {
    get mode() {
      return mode;
    },
    get isPlanning() {
      return isPlanning;
    },
    offer(listed) {
      models = listed;
    },
    info: () => {
      const efforts = modelOf(modelId)?.efforts;
      return present({
        models: shownModels(),
        modelId,
        modes: modeChoices(),
        modeId: mode.id,
        isPlanning: chosen.plan ? isPlanning : undefined,
        efforts: efforts && [...efforts],
        effort: effortOf(),
      });
    },
    choose,
    recall(options, isNew, log) {
      for (const kind of ['model', 'effort'] as const) {
        const value = kind === 'model' ? options.modelId : options.effort;
        if (value === undefined || value === (kind === 'model' ? modelId : effortOf())) continue;
        try {
          choose(kind, value);
        } catch (error) {
          if (isNew) throw error;
          log.warn({ agent: 'codex', kind, value }, "an agent no longer accepts the user's choice");
        }
      }
    },
    plan(isOn) {
      isPlanning = isOn;
      chosen.plan = true;
    },
    rights: () => turnRights(mode),
    turnParams: () => ({
      ...(hasRights ? {} : turnRights(mode)),
      ...(chosen.model && { model: modelId }),
      ...(chosen.effort && effort !== undefined && { effort }),
      ...(chosen.plan && {
        collaborationMode: {
          mode: isPlanning ? 'plan' : 'default',
          settings: { model: modelId ?? '', reasoning_effort: effort ?? null, developer_instructions: null },
        },
      }),
    }),
  };
}

const notOffered = (kind: ChoiceKind, value: string): ProviderError =>
  new ProviderError('INVALID_REQUEST', `Codex doesn't accept "${value}" as its ${kind}.`);
