import type { Usage } from '@liminal/contracts';
import type { NativeModelUse, NativeUsage } from './native.ts';

export const noUsage: NativeUsage = { input: 0, output: 0, read: 0, write: 0 };

export const addUsage = (a: NativeUsage, b: NativeUsage): NativeUsage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  read: a.read + b.read,
  write: a.write + b.write,
});

export const toUsage = (use: NativeUsage): Usage => ({
  inputTokens: use.input,
  outputTokens: use.output,
  cacheReadInputTokens: use.read,
  cacheCreationInputTokens: use.write,
});

export const totalUsage = (uses: readonly NativeModelUse[]): NativeUsage =>
  uses.reduce((sum, use) => addUsage(sum, use.usage), noUsage);

export const totalCost = (uses: readonly NativeModelUse[]): number => uses.reduce((sum, use) => sum + use.costUsd, 0);

/** How full the context window was at the last model call: everything it read and wrote. */
export const contextUsed = (last: NativeUsage): number => last.input + last.read + last.write + last.output;
