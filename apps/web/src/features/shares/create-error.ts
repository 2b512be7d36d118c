import { CallError, messageOf } from '#/lib/http/call-error.ts';

/** What is told when a share cannot be made; a refusal without words gets some. */
export function createErrorText(error: unknown): string {
  if (error instanceof CallError && error.isWordless) return `An unknown error occurred trying to create the link [${error.errorCode}]`;
  return messageOf(error);
}
