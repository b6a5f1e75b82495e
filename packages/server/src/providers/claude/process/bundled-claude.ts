import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveAgentFile } from '../../../program/agent-packages.ts';
import { asNonEmptyString, asRecord } from '../../kit/read-json.ts';

/** The version of the bundled Claude Code, from the SDK's package. */
export function bundledVersion(): string | undefined {
  try {
    const entry = resolveAgentFile('@anthropic-ai/claude-agent-sdk');
    const file = join(dirname(entry), 'package.json');
    return asNonEmptyString(asRecord(JSON.parse(readFileSync(file, 'utf8')))['claudeCodeVersion']);
  } catch {
    return undefined;
  }
}

/** Whether the SDK for Claude Code is installed. */
export function hasSdk(): boolean {
  try {
    return resolveAgentFile('@anthropic-ai/claude-agent-sdk') !== '';
  } catch {
    return false;
  }
}

/** The bundled Claude Code for this machine, if there is one. */
export function bundledClaude(): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'claude.exe' : 'claude';
  for (const name of [platform, `${platform}-musl`]) {
    try {
      return resolveAgentFile(`@anthropic-ai/claude-agent-sdk-${name}/${file}`);
    } catch {
      // Not available for this machine.
    }
  }
  return undefined;
}
