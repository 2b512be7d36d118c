import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallError, faultError } from '../http/call-error.ts';
import type { Destination, PutHooks } from './put-file.ts';
import { type TusAnswer, type TusRequests, createPutInPieces } from './put-in-pieces.ts';

const MiB = 1024 * 1024;
const destination: Destination = { parentLinkUri: '/l/docs', name: 'film.bin', conflict: 'fail', uploadId: 'try-1' };
const row = (messageCode: string): CallError => new CallError({ errorCode: 1, messageCode, message: '', details: {} });

/** A server that has what it was sent, unless the test says otherwise before a request. */
function server({ partSize = 16 * MiB, before = (): Error | undefined => undefined } = {}) {
  const seen: string[] = [];
  const files = new Map<string, number>();
  let uploads = 0;
  const answer = (uploadId: string): TusAnswer => ({ uploadId, offset: files.get(uploadId) ?? 0, partSize });
  const step = (what: string): void => {
    seen.push(what);
    const error = before();
    if (error) throw error;
  };
  const requests: TusRequests = {
    async create(size) {
      step(`create ${size / MiB}`);
      const id = `up-${++uploads}`;
      files.set(id, 0);
      return answer(id);
    },
    async state(uploadId) {
      step(`state ${uploadId}`);
      if (!files.has(uploadId)) throw row('TRANSFER_GONE');
      return answer(uploadId);
    },
    async send({ uploadId, offset, bytes, onSent }) {
      step(`send ${offset / MiB}+${bytes.size / MiB}`);
      if (offset !== files.get(uploadId)) throw row('TRANSFER_STATE');
      onSent(bytes.size);
      files.set(uploadId, offset + bytes.size);
      return answer(uploadId);
    },
    async end(uploadId) {
      seen.push(`end ${uploadId}`);
    },
  };
  return { requests, seen, files };
}

function watched() {
  const told: (string | number | boolean)[] = [];
  const hooks: PutHooks = {
    sent: (bytes) => void told.push(bytes / MiB),
    begun: (id) => void told.push(id),
    held: (isHeld) => void (isHeld && told.push(true)),
  };
  return { told, hooks };
}

const film = new File([new Uint8Array(100 * MiB)], 'film.bin');
const clock = { now: () => 0, pause: async () => undefined };

test('a file goes in requests that end where parts of the storage end', async () => {
  const { requests, seen } = server();
  const { hooks, told } = watched();
  await createPutInPieces({ requests, ...clock })(film, destination, hooks, new AbortController().signal);
  assert.deepEqual(seen, ['create 100', 'send 0+64', 'send 64+36']);
  assert.deepEqual(told, ['up-1', 64, 100]);
});

test('after a cut the upload goes on where the server says, and what waits is told', async () => {
  const faults = [undefined, undefined, faultError('noResponse'), faultError('noResponse')];
  const { requests, seen } = server({ before: () => faults.shift() });
  const { hooks, told } = watched();
  await createPutInPieces({ requests, ...clock })(film, destination, hooks, new AbortController().signal);
  assert.deepEqual(seen, ['create 100', 'send 0+64', 'send 64+36', 'state up-1', 'state up-1', 'send 64+36']);
  assert.deepEqual(told, ['up-1', 64, true, true, 'up-1', 100]);
});

test('an upload of another page is continued, and begun anew where the server has forgotten it', async () => {
  for (const [known, expected] of [
    [32, ['state up-0', 'send 32+32', 'send 64+36']],
    [undefined, ['state up-0', 'create 100', 'send 0+64', 'send 64+36']],
  ] as const) {
    const { requests, seen, files } = server();
    if (known !== undefined) files.set('up-0', known * MiB);
    await createPutInPieces({ requests, ...clock })(
      film,
      { ...destination, continued: 'up-0' },
      watched().hooks,
      new AbortController().signal,
    );
    assert.deepEqual(seen, expected);
  }
});

test('a refusal that cannot pass is told at once, one that may pass after three tries', async () => {
  for (const [code, tries] of [
    ['SOURCE_FULL', 1],
    ['SOURCE_BUSY', 4],
  ] as const) {
    const { requests, seen } = server({ before: () => row(code) });
    await assert.rejects(
      createPutInPieces({ requests, ...clock })(film, destination, watched().hooks, new AbortController().signal),
      (error) => error instanceof CallError && error.answer.messageCode === code,
    );
    assert.equal(seen.length, tries);
  }
});

test('a server that does not answer is given up after ten minutes', async () => {
  let now = 0;
  const { requests } = server({ before: () => faultError('noResponse') });
  const put = createPutInPieces({ requests, now: () => now, pause: async (ms) => void (now += ms) });
  await assert.rejects(put(film, destination, watched().hooks, new AbortController().signal));
  assert.ok(now > 590_000 && now < 640_000, `given up after ${now} ms`);
});

test('cancelling ends the upload at the server', async () => {
  const life = new AbortController();
  const { requests, seen } = server({
    before: () => {
      if (seen.length < 3) return undefined;
      life.abort();
      return faultError('noResponse');
    },
  });
  await assert.rejects(createPutInPieces({ requests, ...clock })(film, destination, watched().hooks, life.signal));
  assert.deepEqual(seen, ['create 100', 'send 0+64', 'send 64+36', 'end up-1']);
});

test('a file that can no longer be read is not tried again', async () => {
  const gone = new File(['x'], 'gone.bin');
  gone.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException('changed', 'NotReadableError')) });
  const { requests } = server({ before: () => faultError('noResponse') });
  await assert.rejects(createPutInPieces({ requests, ...clock })(gone, destination, watched().hooks, new AbortController().signal), {
    message: '"gone.bin" has changed or is no longer there. Please choose it again.',
  });
});
