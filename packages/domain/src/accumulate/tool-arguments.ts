import type { ToolArguments } from '@liminal/contracts';

/** A call's arguments from their JSON text; what does not parse, or is not an object, is `{}` and the call goes on. */
export function parseToolArguments(json: string): ToolArguments {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const isRecord = (value: unknown): value is ToolArguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
