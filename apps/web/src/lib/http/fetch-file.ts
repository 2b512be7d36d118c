import { errorOfAnswer, faultError } from './call-error.ts';
import { loadErrorRows } from './error-text.ts';

/**
 * Asks for a file, or a range of one. Rejects with a CallError when there is no answer or a refusal, and with the signal's reason once that is aborted.
 * A range that the file does not have (416) is the caller's to judge.
 */
export async function fetchFile(href: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(href, { credentials: 'same-origin', ...init }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw faultError('noResponse', cause);
  });
  if (response.ok || response.status === 416) return response;
  const body: unknown = await response.json().catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw faultError('unreadable', cause);
  });
  await loadErrorRows();
  throw errorOfAnswer(body);
}
