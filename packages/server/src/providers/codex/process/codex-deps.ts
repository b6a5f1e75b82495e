import type { AgentDeps } from '../../acp/connection/agent-deps.ts';
import type { AgentSpec } from '../../acp/catalogue/agent-spec.ts';

/** What the hands of this provider need from outside: as other agents do, and how Codex is started. */
export type CodexDeps = AgentDeps & { readonly spec: CodexSpec };

/** Codex as an agent, started as its own server. */
export type CodexSpec = AgentSpec & { readonly server: { readonly command: string; readonly args: readonly string[] } };
