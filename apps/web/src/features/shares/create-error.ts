import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';

/** Message for a share that cannot be created; a refusal without a message gets a general one. */
export function createErrorText(error: unknown): string {
  if (error instanceof CallError && error.isWordless) return `An unknown error occurred trying to create the link [${error.errorCode}]`;
  return errorText(error);
}
