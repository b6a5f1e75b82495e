/** What the page can choose in a demo session. */
export type DemoChoices = { mode: 'ask' | 'auto'; model: 'demo-natural' | 'demo-quick' };

export type DemoSession = {
  readonly cwd: string;
  readonly choices: DemoChoices;
  /** The running prompt. */
  running?: AbortController;
  words: number;
};

const selectors = {
  mode: {
    name: 'Mode',
    category: 'mode',
    options: [
      { value: 'ask', name: 'Ask first', description: 'Asks before a change' },
      { value: 'auto', name: 'Auto', description: 'Changes without asking' },
    ],
  },
  model: {
    name: 'Model',
    category: 'model',
    options: [
      { value: 'demo-natural', name: 'Demo, natural', description: 'Answers at the speed of a model' },
      { value: 'demo-quick', name: 'Demo, quick', description: 'Answers five times as fast' },
    ],
  },
} as const;

export function configOptions(choices: DemoChoices): Record<string, unknown>[] {
  return (['mode', 'model'] as const).map((id) => ({
    id,
    type: 'select',
    currentValue: choices[id],
    ...selectors[id],
  }));
}

/** Applies a choice; false if it does not exist. */
export function choose(choices: DemoChoices, id: string, value: unknown): boolean {
  if (id !== 'mode' && id !== 'model') return false;
  const option = selectors[id].options.find((candidate) => candidate.value === value);
  if (!option) return false;
  Object.assign(choices, { [id]: option.value });
  return true;
}

export const commands = [
  { name: 'tour', description: 'Some of everything' },
  { name: 'think', description: 'Thoughts before the answer' },
  { name: 'plan', description: 'A plan that makes progress' },
  { name: 'tool', description: 'A command and its output' },
  { name: 'edit', description: 'A file edit that needs approval' },
  { name: 'permission', description: 'A command that needs approval' },
  { name: 'question', description: 'A question with options' },
  { name: 'error', description: 'A failure' },
  { name: 'long', description: 'A long answer', input: { hint: 'number of words' } },
];
