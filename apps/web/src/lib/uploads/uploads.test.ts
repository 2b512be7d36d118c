import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Item } from '@sheaf/contract';
import { CallError } from '#/lib/http/call-error.ts';
import { loadErrorRows } from '#/lib/http/error-text.ts';
import type { Destination, PutFile } from './put-file.ts';
import { createUploads, openPercent } from './uploads.ts';

before(loadErrorRows);

const place = { linkUri: '/l/docs', name: 'docs', href: '/browse/L/docs' };
const files = (...names: string[]) => names.map((name) => ({ file: new File(['x'], name), place }));
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const stored = ({ name }: Destination): Item => ({ name, disambiguatedName: name, linkUri: `/l/docs/${name}`, fileType: 'FILE' });
const taken = new CallError({ errorCode: 702, messageCode: 'NAME_TAKEN', message: '', details: { name: 'a.txt' } });

/** A server that is never asked how far uploads are. */
const unasked = {
  newUndoId: () => 'undo-id-1',
  end: () => undefined,
  keeper: { begun: () => undefined, drop: () => undefined },
  requestProgress: () => Promise.resolve(new Map<string, number>()),
  pause: () => new Promise<void>(() => undefined),
};

/** A storage whose files arrive when the test says so. */
function slowStorage() {
  const arriving = new Map<string, (outcome?: Error) => void>();
  const put: PutFile = (_file, destination, _hooks, signal) =>
    new Promise((resolve, reject) => {
      arriving.set(destination.name, (outcome) => (outcome ? reject(outcome) : resolve(stored(destination))));
      signal.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    });
  return { put, arriving };
}

test('three files upload at a time, the others wait their turn', async () => {
  const { put, arriving } = slowStorage();
  const uploads = createUploads({ ...unasked, put, atOnce: 3, now: () => 0 });
  uploads.add(files('a', 'b', 'c', 'd'));
  assert.deepEqual(
    uploads.list().map(({ state }) => state),
    ['running', 'running', 'running', 'waiting'],
  );
  arriving.get('b')?.();
  await settled();
  assert.deepEqual(
    uploads.list().map(({ state }) => state),
    ['running', 'done', 'running', 'running'],
  );
});

test('a taken name asks, and an answer for all applies to the whole batch', async () => {
  const seen: Destination[] = [];
  const put: PutFile = (_file, destination) => {
    seen.push(destination);
    return destination.conflict === 'fail' ? Promise.reject(taken) : Promise.resolve(stored(destination));
  };
  const uploads = createUploads({ ...unasked, put, atOnce: 1, now: () => 0 });
  uploads.add(files('a.txt', 'b.txt'));
  await settled();
  assert.deepEqual(
    uploads.list().map(({ state }) => state),
    ['asking', 'asking'],
  );
  uploads.answer(uploads.list()[0]?.id ?? 0, 'rename', true);
  await settled();
  assert.deepEqual(
    uploads.list().map(({ state }) => state),
    ['done', 'done'],
  );
  assert.deepEqual(
    seen.map(({ name, conflict }) => `${name} ${conflict}`),
    ['a.txt fail', 'b.txt fail', 'a.txt rename', 'b.txt rename'],
  );
});

test('skipping leaves the file out and sends nothing more of it', async () => {
  let sent = 0;
  const uploads = createUploads({
    ...unasked,
    put: () => {
      sent += 1;
      return Promise.reject(taken);
    },
    atOnce: 1,
    now: () => 0,
  });
  uploads.add(files('a.txt'));
  await settled();
  uploads.answer(uploads.list()[0]?.id ?? 0, 'skip', false);
  await settled();
  assert.deepEqual([uploads.list().length, sent], [0, 1]);
});

test('a cancelled upload is stopped at once and the next one begins', async () => {
  const { put } = slowStorage();
  const uploads = createUploads({ ...unasked, put, atOnce: 1, now: () => 0 });
  uploads.add(files('a', 'b'));
  uploads.remove(uploads.list()[0]?.id ?? 0);
  await settled();
  assert.deepEqual(
    uploads.list().map(({ file, state }) => `${file.name} ${state}`),
    ['b running'],
  );
});

test('a failed upload says why and can be retried', async () => {
  const { put, arriving } = slowStorage();
  const uploads = createUploads({ ...unasked, put, atOnce: 1, now: () => 0 });
  const folders: string[] = [];
  uploads.onStored((folder) => folders.push(folder));
  uploads.add(files('a'));
  arriving.get('a')?.(new CallError({ errorCode: 709, messageCode: 'SOURCE_FULL', message: '', details: { provider: 'SFTP' } }));
  await settled();
  assert.deepEqual([uploads.list()[0]?.state, uploads.list()[0]?.message], ['failed', 'SFTP has no room left for this.']);
  uploads.retry(uploads.list()[0]?.id ?? 0);
  arriving.get('a')?.();
  await settled();
  assert.deepEqual([uploads.list()[0]?.state, folders], ['done', ['/l/docs']]);
});

test('a file whose folder cannot be created fails alone, and creates it when retried', async () => {
  const put: PutFile = (_file, destination) => Promise.resolve(stored(destination));
  const uploads = createUploads({ ...unasked, put, atOnce: 3, now: () => 0 });
  const stops: string[] = [];
  uploads.onStored((folder) => stops.push(folder));
  const full = new CallError({ errorCode: 709, messageCode: 'SOURCE_FULL', message: '', details: { provider: 'SFTP' } });
  let isOut = true;
  const linkUri = (): Promise<string> => (isOut ? Promise.reject(full) : Promise.resolve('/l/docs/new'));
  uploads.add([...files('a'), { file: new File(['x'], 'b'), place: { ...place, linkUri } }]);
  await settled();
  assert.deepEqual(
    uploads.list().map(({ file, state }) => `${file.name} ${state}`),
    ['a done', 'b failed'],
  );
  isOut = false;
  uploads.retry(uploads.list()[1]?.id ?? 0);
  await settled();
  assert.deepEqual(stops, ['/l/docs', '/l/docs/new']);
});

test('a file that may be renamed is sent again when others took the chosen name, three times at most', async () => {
  for (const refusals of [3, 4]) {
    const seen: Destination[] = [];
    const put: PutFile = (_file, destination) => {
      seen.push(destination);
      return destination.conflict === 'fail' || seen.length <= refusals + 1 ? Promise.reject(taken) : Promise.resolve(stored(destination));
    };
    const uploads = createUploads({ ...unasked, put, atOnce: 1, now: () => 0 });
    uploads.add(files('a.txt'));
    await settled();
    uploads.answer(uploads.list()[0]?.id ?? 0, 'rename', false);
    await settled();
    assert.deepEqual(
      [seen.length, uploads.list().map(({ state }) => state)],
      [5, [refusals === 3 ? 'done' : 'failed']],
      `${refusals} times taken`,
    );
  }
});

test('progress is what the storage has received, or where unknown, what has left the browser', async () => {
  const answers: ReadonlyMap<string, number>[] = [];
  const asked: (readonly string[])[] = [];
  const pauses: (() => void)[] = [];
  const destinations: Destination[] = [];
  let onSent: (bytes: number) => void = () => undefined;
  let finish: (item: Item) => void = () => undefined;
  const uploads = createUploads({
    newUndoId: unasked.newUndoId,
    put: (_file, destination, hear) => {
      destinations.push(destination);
      onSent = hear.sent;
      return new Promise((resolve) => (finish = resolve));
    },
    end: () => undefined,
    keeper: { begun: () => undefined, drop: () => undefined },
    atOnce: 1,
    now: () => performance.now(),
    requestProgress: (uploadIds) => {
      asked.push(uploadIds);
      return Promise.resolve(answers.shift() ?? new Map());
    },
    pause: () => new Promise((resolve) => pauses.push(resolve)),
  });
  const answer = async (taken: ReadonlyMap<string, number>): Promise<number | undefined> => {
    answers.push(taken);
    pauses.shift()?.();
    await settled();
    return uploads.list()[0]?.sent;
  };
  uploads.add([{ file: new File(['12345678'], 'a'), place }]);
  await settled();
  const [{ uploadId } = { uploadId: '' }] = destinations;
  onSent(8);
  assert.equal(uploads.list()[0]?.sent, 0);
  assert.equal(await answer(new Map([[uploadId, 1]])), 1);
  onSent(8);
  assert.equal(uploads.list()[0]?.sent, 1);
  assert.equal(await answer(new Map()), 1, 'another instance does not know it');
  assert.equal(await answer(new Map([[uploadId, 5]])), 5);
  assert.deepEqual(asked, [[uploadId], [uploadId], [uploadId]]);
  finish(stored({ parentLinkUri: '/l/docs', name: 'a', conflict: 'fail', uploadId }));
  await settled();
  assert.deepEqual([uploads.list()[0]?.state, uploads.list()[0]?.sent], ['done', 8]);
  await answer(new Map());
  assert.equal(pauses.length, 0, 'nobody asks once everything is done');
});

test('an upload that no server reports on shows what has left the browser', async () => {
  const pauses: (() => void)[] = [];
  let onSent: (bytes: number) => void = () => undefined;
  const uploads = createUploads({
    newUndoId: unasked.newUndoId,
    put: (_file, _destination, hear) => {
      onSent = hear.sent;
      return new Promise(() => undefined);
    },
    end: () => undefined,
    keeper: { begun: () => undefined, drop: () => undefined },
    atOnce: 1,
    now: () => performance.now(),
    requestProgress: () => Promise.resolve(new Map()),
    pause: () => new Promise((resolve) => pauses.push(resolve)),
  });
  uploads.add([{ file: new File(['12345678'], 'a'), place }]);
  await settled();
  onSent(8);
  pauses.shift()?.();
  await settled();
  assert.equal(uploads.list()[0]?.sent, 8);
});

test('a running upload never shows 100 %', () => {
  assert.deepEqual([0, 0.125, 0.999, 1].map(openPercent), [0, 12, 99, 99]);
});

test('ten thousand files are shown now and then, not with each change, and all are sent in their order', async () => {
  const sent: string[] = [];
  const put: PutFile = async (_file, { name }) => void sent.push(name);
  const uploads = createUploads({ ...unasked, put, atOnce: 3, now: () => 0 });
  let shown = 0;
  uploads.subscribe(() => void shown++);
  const names = Array.from({ length: 10_000 }, (_, index) => `f${index}`);
  uploads.add(files(...names));
  while (sent.length < names.length) await settled();
  assert.deepEqual(sent, names);
  assert.ok(uploads.list().every(({ state }) => state !== 'waiting'));
  assert.ok(shown < 100, `shown ${shown} times`);
});

test('files chosen together that have replaced others are told of once, when all of them have ended', async () => {
  const { put: slow, arriving } = slowStorage();
  const put: PutFile = async (file, destination, hooks, signal) => {
    const made = await slow(file, destination, hooks, signal);
    if (destination.name !== 'new') hooks.replaced?.(destination.undoId ?? '');
    return made;
  };
  const uploads = createUploads({ ...unasked, put, atOnce: 3, now: () => 0 });
  const told: unknown[] = [];
  uploads.onReplaced((one) => void told.push(one));
  uploads.add(files('a', 'b', 'new'));
  arriving.get('a')?.();
  arriving.get('new')?.();
  await settled();
  assert.deepEqual(told, []);
  arriving.get('b')?.();
  await settled();
  assert.deepEqual(told, [{ undoId: 'undo-id-1', files: 2, name: 'b', folderUri: '/l/docs' }]);
});
