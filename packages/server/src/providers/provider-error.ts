import { type FailureCode, failures } from '@liminal/contracts';

/** The only error that crosses the provider port: a code from the error table and a message that says what to do. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }

  get httpStatus(): number {
    return failures[this.code].http;
  }
}

/** The message of anything that was thrown. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Wraps anything an adapter threw, so no foreign error crosses the port unwrapped. */
export function asProviderError(error: unknown, code: FailureCode, message: string): ProviderError {
  if (error instanceof ProviderError) return error;
  const detail = errorText(error);
  return new ProviderError(code, detail ? `${message} (${detail})` : message, error);
}
