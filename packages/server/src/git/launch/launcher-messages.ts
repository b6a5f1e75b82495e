import type { LaunchedProgram, LaunchError } from './launch.ts';

/** Messages from the server to the helper process. */
export type ToLauncher =
  | { readonly type: 'start'; readonly id: number; readonly program: LaunchedProgram }
  | { readonly type: 'stop'; readonly id: number };

/** Messages from the helper process to the server. */
export type ToServer =
  | { readonly type: 'said'; readonly id: number; readonly stream: 'stdout' | 'stderr'; readonly chunk: Uint8Array }
  | { readonly type: 'failed'; readonly id: number; readonly error: LaunchError }
  | { readonly type: 'ended'; readonly id: number; readonly code: number | null };
