import type { Call } from '@sheaf/contract';
import { rTag } from './cookie.ts';
import { fetchFile } from './fetch-file.ts';
import { formBody } from './form-body.ts';
import type { Payload } from './send.ts';

/** Sends a POST whose answer is a file, and returns that. Rejects as {@link send} does. */
export async function sendForFile<C extends Call>(call: C, payload: Payload<C>): Promise<Blob> {
  const body = formBody({ ...payload, rTag: rTag() });
  const response = await fetchFile(call.path, { method: call.method, body });
  return response.blob();
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
