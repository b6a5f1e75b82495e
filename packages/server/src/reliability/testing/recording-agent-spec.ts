import { ownEntry } from '../../program/program-files.ts';
import { acpCapabilities, type AgentSpec } from '../../providers/acp/catalogue/agent-spec.ts';

/** The agent that records its prompts. Every process of it, and of its tools, carries the mark. */
export function recordingAgent(file: string, mark: string): AgentSpec {
  return {
    id: 'recording',
    name: 'Recording',
    command: process.execPath,
    args: [ownEntry('reliability/testing/recording-agent'), file],
    env: { RECORDED_AGENT_MARK: mark },
    family: 'none',
    capabilities: { ...acpCapabilities, untrustedFolders: true },
  };
}
