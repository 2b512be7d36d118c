import type { AppError, ErrorAnswer } from '@sheaf/contract';

/** What a link's row stores of the error for which it needs attention. */
export const writtenAttention = (error: AppError): string => JSON.stringify(error.toAnswer());

/** The stored error as clients get it: as a sentence, and with what other languages word it from. Rows of earlier versions hold the sentence only. */
export function readAttention(stored: string): { readonly attention: string; readonly attentionError?: ErrorAnswer } {
  if (!stored.startsWith('{"errorCode"')) return { attention: stored };
  // Written by writtenAttention.
  const attentionError = JSON.parse(stored) as ErrorAnswer;
  return { attention: attentionError.message, attentionError };
}
