import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError, connectorErrorKinds } from '@sheaf/connectors';
import { AppError, appError, deleteLink, familyCalls } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { masterKeys } from '#/secrets/master-key.ts';
import { resealSecrets, secretPlace } from '#/secrets/reseal.ts';
import { createVault } from '#/secrets/vault.ts';
import { addSftp, draftOf, linkApp, rowsOf, sftpInfo } from '#/testing/links.ts';
import { answerOf } from './answers.ts';
import { createLifetime } from './lifetime.ts';
import { createConnectionStore } from './store.ts';

const ask = { signal: new AbortController().signal };

/** Waits for an effect that follows by itself. */
const until = (holds: () => boolean | Promise<boolean>): Promise<true> => eventually(holds, 'it comes to hold');

async function linked(t: TestContext) {
  const app = await linkApp(t, { chunkSize: 1 });
  const { userLinkId } = await addSftp(app.user, 'NAS');
  const { connections } = app.services;
  return { ...app, connections, userLinkId, open: () => connections.open(app.user.userId, userLinkId) };
}

test('every kind of refusal has a row in the error table, with all its slots filled', () => {
  for (const kind of connectorErrorKinds) {
    const row = answerOf(new ConnectorError(kind, ''), { provider: 'SFTP', name: 'a' });
    assert.ok(row instanceof AppError, kind);
    assert.doesNotMatch(row.message, /\{/, kind);
  }
});

test('a login with a key that is refused is told as the key, and not as a password that nobody has entered', () => {
  const subject = { provider: 'SFTP', name: 'NAS' };
  for (const [details, messageCode] of [
    [{ problem: 'key' }, 'KEY_REFUSED'],
    [{}, 'INVALID_CREDENTIALS'],
  ] as const) {
    const told = answerOf(new ConnectorError('unauthorized', 'no', { details }), subject);
    assert.ok(told instanceof AppError && told.messageCode === messageCode, String(told));
  }
});

test('missing and invalid connection info give different errors', () => {
  const told = (field: string, info: Record<string, string>) => {
    const row = answerOf(new ConnectorError('badConfig', '', { details: { field } }), { provider: 'SFTP', info });
    assert.ok(row instanceof AppError);
    return row.message;
  };
  assert.equal(told('username', {}), 'Please enter a user name.');
  assert.equal(told('host', { host: ' ' }), 'Please enter the host.');
  assert.equal(told('server', {}), 'Please enter the host.');
  assert.equal(told('password', {}), 'Some required information is missing. Please check the form and try again.');
  assert.equal(told('authjson', { authjson: '{' }), 'The connection JSON is not valid.');
  assert.equal(told('server', { server: 'nas:80', authjson: '{}' }), 'No schema supplied in the server address.');
  assert.equal(told('server', { server: 'a b' }), 'Please check the server and try again.');
});

test('a name with half a surrogate pair, as a source may list it, never reaches a source and is reported as a refused name', async (t) => {
  const { source, open } = await linked(t);
  source.put('/file', 'x');
  const { connector } = await open();
  await assert.rejects(connector.stat('/\ud83d', ask), { messageCode: 'FILE_NAME_REFUSED' });
  await assert.rejects(async () => connector.rename?.('/file', '\ud83d', ask), { messageCode: 'FILE_NAME_REFUSED' });
  assert.equal((await connector.stat('/file', ask)).name, 'file');
});

test('a link is opened once for all concurrent callers', async (t) => {
  const { source, open } = await linked(t);
  const [one, two] = await Promise.all([open(), open()]);
  assert.equal(one, two);
  await one.connector.stat('/', ask);
  assert.equal((await open()).connector, one.connector);
  assert.equal(source.counts.opened, 1);
});

test("neither another user's link nor a missing one can be opened [SEC-10]", async (t) => {
  const { open, connections, signUp, userLinkId } = await linked(t);
  await open();
  const other = await signUp();
  await assert.rejects(connections.open(other.userId, userLinkId), { messageCode: 'INVALID_LINK_URI' });
  await assert.rejects(connections.open(other.userId, 'nonsense'), { messageCode: 'INVALID_LINK_URI' });
});

test('an opened link has its secrets and reports rows of the error table', async (t) => {
  const { source, open } = await linked(t);
  source.put('/a.txt', 'a');
  const { connector } = await open();
  assert.equal(source.lastInfo?.['password'], sftpInfo.password);
  await assert.rejects(connector.stat('/none.txt', ask), { messageCode: 'ITEM_NOT_FOUND', message: '"none.txt" no longer exists.' });
  source.put('/b.txt', 'b');
  const taken = connector.rename?.('/a.txt', 'b.txt', ask) ?? Promise.resolve();
  await assert.rejects(taken, { messageCode: 'NAME_TAKEN', message: 'There is already an item named "b.txt".' });
});

test('an interrupted body is reported as a row of the error table too', async (t) => {
  const { source, open } = await linked(t);
  source.put('/a.txt', 'abcdefgh');
  const { connector } = await open();
  source.setGate((_operation, _path, part) => {
    if (part > 0) throw new ConnectorError('interrupted', 'cut');
  });
  const body = await connector.read('/a.txt', ask);
  await assert.rejects(
    body.drain(async () => undefined),
    { messageCode: 'TRANSFER_CUT' },
  );
});

test('a saved link is reopened, and the old connection is closed after its calls', async (t) => {
  const { source, open, user, userLinkId } = await linked(t);
  const before = await open();
  await user.ask(familyCalls.sftp.update, draftOf({ ...sftpInfo, password: 'new' }, { userLinkId, continueAnyway: true }));
  const after = await open();
  assert.notEqual(after.connector, before.connector);
  assert.equal(source.lastInfo?.['password'], 'new');
  assert.equal((await before.connector.stat('/', ask)).kind, 'folder');
});

test('unlinking ends the running calls of the link', async (t) => {
  const { source, open, user, userLinkId } = await linked(t);
  source.put('/a.txt', 'abc');
  const { connector } = await open();
  let waiting = false;
  source.setGate((_operation, _path, part) => {
    if (part !== 1) return undefined;
    waiting = true;
    return unlinked.then(() => Promise.reject(new ConnectorError('aborted', 'told to stop')));
  });
  const body = await connector.read('/a.txt', ask);
  const unlinked = until(() => waiting).then(() => user.ask(deleteLink, { userLinkId }));
  await assert.rejects(
    body.drain(async () => undefined),
    AppError,
  );
  await until(() => source.counts.closed === source.counts.opened);
  await assert.rejects(connector.stat('/', ask), AppError);
});

test('an idle connection is closed after a while, a used one is not', async () => {
  let closed = 0;
  const lifetime = createLifetime(10, () => void closed++);
  const release = Promise.withResolvers<void>();
  const call = lifetime.layer({ operation: 'stat', path: '/', begunAt: performance.now(), ...ask }, async () => {
    await release.promise;
    return { shape: 'nothing' };
  });
  await sleep(40);
  assert.equal(closed, 0);
  release.resolve();
  await call;
  await until(() => closed === 1);
});

test('the state of a link follows the answers of its source', async (t) => {
  const { open, user, refuse, source } = await linked(t);
  const row = async () => (await rowsOf(user))[0];
  assert.equal((await row())?.state, 'unknown');
  const { connector } = await open();
  await connector.stat('/', ask);
  await until(async () => (await row())?.state === 'ok');
  refuse('unauthorized');
  await assert.rejects(connector.stat('/', ask), { messageCode: 'INVALID_CREDENTIALS' });
  await until(async () => (await row())?.state === 'attention');
  assert.equal((await row())?.attention, 'The user name or password is not correct.');
  assert.deepEqual((await row())?.attentionError, appError('INVALID_CREDENTIALS', {}).toAnswer());
  refuse('notFound');
  await assert.rejects(connector.stat('/x', ask), { messageCode: 'ITEM_NOT_FOUND' });
  assert.equal((await row())?.state, 'attention');
  refuse();
  source.put('/n', '');
  await connector.write?.('/m', Readable.from(['x']), { ...ask, ifExists: 'fail' });
  await until(async () => (await row())?.state === 'ok');
  assert.equal((await row())?.attention, undefined);
});

test('a call interrupted by shutdown cleans up at its source before the connection closes, but nobody waits for one that hangs', async (t) => {
  const { source, open, connections } = await linked(t);
  const { definition } = source;
  const inner = definition.open;
  const steps: string[] = [];
  const { promise: clear, resolve: clearUp } = Promise.withResolvers<void>();
  t.mock.method(definition, 'open', async (...given: Parameters<typeof inner>) => ({
    ...(await inner(...given)),
    async write(_path: string, sent: Readable) {
      await once(sent, 'close');
      await clear;
      steps.push('cleared up');
      throw new ConnectorError('aborted', 'broken off');
    },
    async stat(_path: string, { signal }: typeof ask) {
      await once(signal, 'abort');
      throw new ConnectorError('aborted', 'cut');
    },
    close: async () => void steps.push('closed'),
  }));
  const { connector } = await open();
  const body = new Readable({ read: () => undefined });
  const writing = assert.rejects(connector.write?.('/a', body, { ...ask, ifExists: 'fail' }) ?? Promise.resolve());
  const hanging = assert.rejects(connector.stat('/a', ask));
  body.destroy();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const closing = connections.close();
  await setImmediate();
  t.mock.timers.tick(500);
  await setImmediate();
  clearUp();
  await setImmediate();
  t.mock.timers.tick(500);
  await closing;
  assert.deepEqual(steps, ['cleared up', 'closed']);
  await Promise.all([writing, hanging]);
});

test('secrets sealed with an older key are resealed at start', async (t) => {
  const { services, userLinkId } = await linked(t);
  const { db } = services.database;
  const stored = () => db.selectFrom('link_secret').selectAll().where('linkId', '=', userLinkId).executeTakeFirstOrThrow();
  const before = await stored();
  const keys = await masterKeys(services.config);
  const vault = createVault(Buffer.alloc(32, 7), [keys.current]);
  assert.deepEqual(await resealSecrets(createConnectionStore(db), vault), { sealed: 1, unreadable: 0 });
  const after = await stored();
  assert.notEqual(after.sealed, before.sealed);
  assert.equal(createVault(Buffer.alloc(32, 7)).open(secretPlace(userLinkId, 'password'), after.sealed), sftpInfo.password);
  assert.deepEqual(await resealSecrets(createConnectionStore(db), vault), { sealed: 0, unreadable: 0 });
});

test('a secret whose key is lost does not keep the others from being resealed', async (t) => {
  const { services, user, userLinkId } = await linked(t);
  const { userLinkId: other } = await addSftp(user, 'NAS 2');
  const [first = '', second = ''] = [userLinkId, other].toSorted();
  const { db } = services.database;
  const store = createConnectionStore(db);
  const [lost] = await store.secretsOf(first);
  assert.ok(lost);
  const sealed = createVault(Buffer.alloc(32, 1)).seal(secretPlace(first, 'password'), 'x');
  await store.replaceSealed(lost, sealed);
  const { current } = await masterKeys(services.config);
  assert.deepEqual(await resealSecrets(store, createVault(Buffer.alloc(32, 7), [current])), { sealed: 1, unreadable: 1 });
  const [kept] = await store.secretsOf(second);
  assert.equal(createVault(Buffer.alloc(32, 7)).open(secretPlace(second, 'password'), kept?.sealed ?? ''), sftpInfo.password);
  assert.equal((await store.secretsOf(first))[0]?.sealed, sealed);
});
