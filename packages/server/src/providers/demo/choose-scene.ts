import type { Scene } from './scene.ts';
import * as scenes from './scenes.ts';

/** By the first of these words in the prompt. `tour` comes first: its word may stand beside others. */
const byWord: readonly (readonly [RegExp, Scene])[] = [
  [/\b(tour|all|everything)\b/i, scenes.tour],
  [/\b(ask first|permission)\b/i, scenes.permission],
  [/\bquestion\b/i, scenes.question],
  [/\bedit\b/i, scenes.edit],
  [/\b(tool|run)\b/i, scenes.tool],
  [/\bplan\b/i, scenes.plan],
  [/\bthink\b/i, scenes.think],
  [/\b(error|fail)\b/i, scenes.error],
  [/\blong\b/i, scenes.long],
];

export function chooseScene(prompt: string): Scene {
  return byWord.find(([word]) => word.test(prompt))?.[1] ?? scenes.welcome;
}
