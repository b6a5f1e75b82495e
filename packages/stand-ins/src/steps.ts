/** Whether a streamed block is the answer itself or the reasoning before it. */
export type Voice = 'text' | 'thinking';

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const defaultUsage: Usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };

/** What a script wants a tool to do, independent of the agent: each agent names the tool and its fields differently. */
export type ToolWish =
  | { readonly tool: 'shell'; readonly command: string; readonly escalated?: boolean; readonly background?: boolean }
  | { readonly tool: 'write'; readonly path: string; readonly content: string }
  | { readonly tool: 'edit'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly tool: 'plan'; readonly entries: readonly string[] }
  | { readonly tool: 'task'; readonly prompt: string; readonly background: boolean }
  | { readonly tool: 'ask'; readonly questions: readonly unknown[] }
  | { readonly tool: 'exit-plan'; readonly plan: string }
  | { readonly tool: 'named'; readonly name: string; readonly namespace?: string; readonly input: string };

/** One thing the scripted model does. `tries` limits a fault to the first tries of the same request. */
export type Step =
  | { readonly kind: 'say'; readonly voice: Voice; readonly pieces: readonly string[]; readonly gapMs?: number }
  | { readonly kind: 'call'; readonly wish: ToolWish }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop'; readonly tries?: number }
  | { readonly kind: 'error'; readonly status: number; readonly message: string; readonly tries?: number }
  | { readonly kind: 'fail'; readonly code: string; readonly message: string };

/** The steps that apply to this try of a request, without faults scripted for earlier tries only. */
export function stepsOfTry(steps: readonly Step[], attempt: number): Step[] {
  return steps.filter((step) => !('tries' in step) || step.tries === undefined || attempt <= step.tries);
}
