/**
 * Sends the bytes of one request. The worker ends with the request, which frees the browser's copies of the bytes. They are sent as a Blob: a buffer
 * would also be copied to the service worker, and stay there until garbage collection.
 */
import type { Sending, Told } from './send-apart.ts';

const tell = postMessage as (message: Told, transfer?: Transferable[]) => void;
addEventListener('message', ({ data: { address, headers, room, length } }: MessageEvent<Sending>) => {
  const request = new XMLHttpRequest();
  request.open('PATCH', address);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded }) => tell({ sent: loaded }));
  request.addEventListener('load', () => {
    const { status, response } = request;
    tell({ status, headers: request.getAllResponseHeaders(), body: response as unknown });
  });
  request.addEventListener('error', () => tell({ isFault: true }));
  request.send(new Blob([new Uint8Array(room, 0, length)]));
  tell({ room }, [room]);
});
