export const code = `\`\`\`ts
/** The larger of two numbers. */
export function larger(a: number, b: number): number {
  return a > b ? a : b;
}
\`\`\`
`;

const quoted = (prompt: string): string => {
  const line = prompt.trim().split('\n')[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
};

const nothingReal = 'I change no files and run no commands';
const reallyHere =
  'in this scratch project I really edit files and run the tests, so you can review, comment, stage and commit. Elsewhere I change nothing';

export const welcome = (
  prompt: string,
  isScratch: boolean,
): string => `Hello! I am the **demo agent**. There is no model behind me: I only show what the workbench can do, and ${isScratch ? reallyHere : nothingReal}.

You wrote: “${quoted(prompt)}”. Here is some code, to show how it looks:

${code}
Use one of these words in a message to see more:

| word | what you see |
| --- | --- |
| \`think\` | thoughts before the answer |
| \`plan\` | a plan that makes progress |
| \`tool\` | a command and its output |
| \`edit\` | a change to a file, after asking |
| \`permission\` | a question before a command |
| \`question\` | a choice for you to make |
| \`error\` | a failure |
| \`long 2000\` | a long answer with that many words |
| \`tour\` | a bit of everything |

To work on real code, start a session with Claude Code or Codex.
`;

export const thought =
  'The user wants to see how thinking looks. It should read like thinking, but be honest: nobody thinks here. Two short sentences will do, then the answer.';
export const afterThought =
  'What you saw above the answer were my “thoughts”. They were written beforehand, like everything I say.';

export const planSteps = ['Read the code', 'Write the change', 'Run the tests'];

export const testOutput = [
  '> demo@1.0.0 test',
  '',
  '✓ adds two numbers',
  '✓ greets by name',
  '✓ leaves no file behind',
  '',
  '3 passed in 0.4 s',
];

export const fileBefore = `export function greet(name: string) {
  return 'Hello ' + name;
}
`;
export const fileAfter = `/** A friendly greeting. */
function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
`;

export const colours = [
  { label: 'Blue', description: 'Calm, and what everybody else uses' },
  { label: 'Green', description: 'Says that everything is fine' },
  { label: 'Red', description: 'Nobody will miss it' },
];

const vocabulary =
  'a session is a line of turns and every turn is a line of items and each item grows until it is complete while the page follows along'.split(
    ' ',
  );

/** Paragraphs of exactly this many words. */
export function longText(count: number): string {
  const parts: string[] = [];
  for (let index = 0; index < count; index += 1) {
    parts.push(vocabulary[index % vocabulary.length] ?? '', index % 60 === 59 ? '.\n\n' : ' ');
  }
  return parts.join('').trimEnd();
}
