import type { Call } from '@sheaf/contract';
import { errorOfAnswer, faultError } from './call-error.ts';
import { rTag } from './cookie.ts';
import { formBody } from './form-body.ts';
import type { Payload } from './send.ts';

/** Sends a POST whose answer is a file, and returns that. Rejects as {@link send} does. */
export async function sendForFile<C extends Call>(call: C, payload: Payload<C>): Promise<Blob> {
  const body = formBody({ ...payload, rTag: rTag() });
  const response = await fetch(call.path, { method: call.method, credentials: 'same-origin', body }).catch((cause: unknown) => {
    throw faultError('noResponse', cause);
  });
  if (response.ok) return response.blob();
  throw errorOfAnswer(
    await response.json().catch((cause: unknown) => {
      throw faultError('unreadable', cause);
    }),
  );
}

/** Lets the browser save the file under that name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  // The browser keeps its own reference once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
