import type { Scratch } from './scratch.ts';

export type PlanStep = { readonly content: string; readonly status: 'pending' | 'in_progress' | 'completed' };

export type DemoCall = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly kind: 'read' | 'edit' | 'execute' | 'search';
  readonly input: Readonly<Record<string, unknown>>;
  readonly locations?: readonly { readonly path: string; readonly line?: number }[];
  readonly diff?: { readonly path: string; readonly oldText: string | null; readonly newText: string };
};

/** One thing the demo agent does. Scenes are lists of these and don't know the protocol. */
export type Step =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'think'; readonly text: string }
  | { readonly do: 'plan'; readonly steps: readonly PlanStep[] }
  | { readonly do: 'call'; readonly call: DemoCall }
  | { readonly do: 'output'; readonly id: string; readonly line: string }
  | { readonly do: 'finish'; readonly id: string; readonly failed?: boolean }
  /** Asks before a call; answered by an option id, or null if the question was withdrawn. */
  | { readonly do: 'ask'; readonly call: DemoCall }
  /** Asks to choose; answered by the label, or null. */
  | {
      readonly do: 'question';
      readonly question: string;
      readonly options: readonly { readonly label: string; readonly description: string }[];
    }
  /** Really writes a file in the scratch project. */
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  /** Really runs the scratch project's tests; answered by `failed` or null. */
  | { readonly do: 'test'; readonly id: string }
  | { readonly do: 'fail'; readonly message: string };

export type Setting = {
  readonly cwd: string;
  /** The whole prompt. */
  readonly prompt: string;
  /** The user chose the mode without questions. */
  readonly auto: boolean;
  /** Only in the scratch project; in any other folder nothing is touched. */
  readonly scratch?: Pick<Scratch, 'read'>;
};

/** Yields steps and receives the answers to questions. */
export type Scene = (setting: Setting) => Generator<Step, void, string | null>;

export const isYes = (answer: string | null): boolean => answer !== null && answer.startsWith('allow');
