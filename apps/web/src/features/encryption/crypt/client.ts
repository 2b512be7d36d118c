import { WordedError } from '#/lib/http/error-text.ts';
import type { Answer, Kind, Requests } from './requests.ts';

const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
let count = 0;
let worker: Worker | undefined;

/** Messages for the failure codes of the worker. */
const sentences: Readonly<Record<string, string>> = {
  locked: 'The vault is locked.',
  changed: 'The file has changed or is no longer there. Please choose it again.',
  foreign: 'This file was not written by the vault.',
  block: 'This file is damaged: a part of it is not what the vault wrote.',
  cut: 'This file is damaged: its end is missing.',
  replaced: 'The file was replaced by another one meanwhile. Please open it again.',
  WEBLINK_GONE: 'This share has ended.',
  WEBLINK_USED_UP: 'This share has given all the downloads that its owner allowed.',
  WEBLINK_PASSWORD_NEEDED: 'This share asks for its password again. Please reload the page.',
  unreadable: 'The file could not be read from its storage. Please try again.',
};
export const failureSentence = (failure: string): string => sentences[failure] ?? 'The vault could not do this. Please try again.';

/** Starts the worker on the first request; it lives as long as the page. */
function startWorker(): Worker {
  const started = new Worker(new URL('./vault-worker.ts', import.meta.url), { type: 'module', name: 'vaults' });
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failure === undefined) asked?.resolve(data.answer as never);
    else asked?.reject(new WordedError(failureSentence(data.failure)));
  });
  started.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new WordedError('This browser cannot open vaults.'));
    waiting.clear();
  });
  return started;
}

/** Sends a request to the worker that holds the keys. Rejects with a WordedError. */
export function askWorker<K extends Kind>(kind: K, ask: Requests[K]['ask'], transfer: Transferable[] = []): Promise<Requests[K]['answer']> {
  worker ??= startWorker();
  const id = ++count;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker?.postMessage({ id, kind, ask }, transfer);
  });
}
