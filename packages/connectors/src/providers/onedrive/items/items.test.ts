import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, opening } from '../testing/opening.ts';

const listing = /\/children\?/;
const monitor = 'GET /monitor/{job}';

test('5,000 entries come in as few pages as the drive allows', async (t) => {
  const { microsoft, drive, names, content } = await opening(t, 'OneDriveForBusiness');
  const folder = drive.addFolder(drive.root, 'Many');
  const one = content('x');
  for (let index = 0; index < 5000; index++) drive.store(folder, `entry ${index}`, one, 'fail');
  assert.equal((await names('/Many')).length, 5000);
  assert.equal(microsoft.requests.filter(({ operation }) => operation?.endsWith('/children')).length, 5);
});

test('an item that appears on two pages is listed once', async (t) => {
  const { microsoft, drive, connector, content } = await opening(t, 'OneDrive');
  microsoft.world.manners.page = 2;
  const folder = drive.addFolder(drive.root, 'Moving');
  for (const name of ['b', 'c', 'd', 'e']) drive.store(folder, name, content(name), 'fail');
  const found: string[] = [];
  for await (const batch of connector.list('/Moving', ask())) {
    found.push(...batch.map(({ name }) => name));
    if (found.length === 2) drive.store(folder, 'a', content('a'), 'fail');
  }
  assert.deepEqual(found, ['b', 'c', 'd', 'e']);
});

test('a token that expires between two pages is renewed once, and the listing continues', async (t) => {
  const { microsoft, connector } = await opening(t, 'OneDrive');
  microsoft.world.manners.page = 1;
  const found: string[] = [];
  for await (const batch of connector.list('/Pictures', ask())) {
    found.push(...batch.map(({ name }) => name));
    if (found.length === 1) microsoft.consumers.expireAll();
  }
  assert.deepEqual(found, ['harbour.jpg', 'hills.jpg', 'old town.jpg']);
  assert.equal(microsoft.consumers.refreshes(), 1);
});

test('a service that asks to wait is reported with the requested wait', async (t) => {
  const { microsoft, names } = await opening(t, 'OneDrive');
  microsoft.faults.next(listing, 1, { kind: 'rateLimit', retryAfter: 7 });
  await assert.rejects(names('/'), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
  const busy = { status: 503, headers: { 'retry-after': '2' }, json: { error: { code: 'serviceNotAvailable', message: '' } } };
  microsoft.faults.next(listing, 1, { kind: 'reply', reply: busy });
  await assert.rejects(names('/'), { kind: 'rateLimited', retryable: true, retryAfter: 2000 });
  microsoft.faults.next(listing, 1, { kind: 'reply', reply: { status: 502, text: '<html>Bad Gateway</html>' } });
  await assert.rejects(names('/'), { kind: 'unreachable', retryable: true });
});

test('the deepest known code of an error decides', async (t) => {
  const { microsoft, names } = await opening(t, 'OneDrive');
  for (const [status, error, kind] of [
    [403, { code: 'generalException', innererror: { code: 'accessRestricted', innererror: { code: 'somethingNew' } } }, 'forbidden'],
    [400, { code: 'invalidRequest', innerError: { code: 'pathIsTooLong' } }, 'badName'],
    [423, { code: 'resourceLocked' }, 'forbidden'],
    [509, { code: 'bandwidthLimitExceeded' }, 'rateLimited'],
  ] as const) {
    microsoft.faults.next(listing, 1, { kind: 'reply', reply: { status, json: { error: { message: '', ...error } } } });
    await assert.rejects(names('/'), { kind });
  }
});

test('an account without a drive is distinguished from a missing folder', async (t) => {
  const { microsoft, names } = await opening(t, 'OneDriveForBusiness');
  const reply = { status: 404, json: { error: { code: 'ResourceNotFound', message: 'mysite not found' } } };
  microsoft.faults.next(listing, 1, { kind: 'reply', reply });
  await assert.rejects(names('/'), { kind: 'forbidden' });
  await assert.rejects(names('/missing'), { kind: 'notFound' });
});

test('an expired download URL is requested again, and does not require authorization', async (t) => {
  const { microsoft, get } = await opening(t, 'OneDrive');
  microsoft.faults.next('GET /download/{opaque}', 1, { kind: 'reply', reply: { status: 401, text: '' } });
  await assert.rejects(get('/Documents/Welcome.txt'), { kind: 'interrupted', retryable: true });
});

test('a next page on another host is not requested: it would receive the token', async (t) => {
  const { microsoft, names } = await opening(t, 'OneDrive');
  const next = `${microsoft.url.replace('127.0.0.1', 'localhost')}/v1.0/me/drive/root/children?$top=1`;
  microsoft.faults.next(listing, 1, { kind: 'reply', reply: { json: { value: [], '@odata.nextLink': next } } });
  await assert.rejects(names('/'), { kind: 'unexpected' });
  assert.equal(microsoft.requests.length, 1);
});

test('a file is not replaced by one whose name differs in case', async (t) => {
  const { put, get, names, connector } = await opening(t, 'OneDrive');
  await put('/Documents/README', 'good');
  for (const size of [3, 5_000_000]) await assert.rejects(put('/Documents/readme', 'x'.repeat(size)), { kind: 'alreadyExists' });
  assert.equal((await get('/Documents/README')).toString(), 'good');
  await assert.rejects(connector.stat('/Documents/readme', ask()), { kind: 'notFound' });
  assert.equal((await connector.rename?.('/Documents/README', 'readme', ask()))?.name, 'readme');
  assert.ok((await names('/Documents')).includes('readme'));
});

test('notebooks, which are neither file nor folder, are not shown', async (t) => {
  const { names, connector } = await opening(t, 'OneDrive');
  assert.deepEqual(await names('/'), ['Documents', 'Pictures']);
  await assert.rejects(connector.stat('/Notebook', ask()), { kind: 'notFound' });
});

test('a name may have 255 characters, a path 400', async (t) => {
  const { put, names, connector } = await opening(t, 'OneDrive');
  const long = 'x'.repeat(255);
  await connector.createFolder?.(`/${long}`, ask());
  await put(`/${long}/${'y'.repeat(143)}`, 'fits');
  await assert.rejects(put(`/${long}/${'y'.repeat(144)}`, 'too long'), { kind: 'badName' });
  await assert.rejects(async () => connector.createFolder?.(`/${long}/${long}`, ask()), { kind: 'badName' });
  await assert.rejects(async () => connector.createFolder?.(`/${long}x`, ask()), { kind: 'badName' });
  assert.equal((await names(`/${long}`)).length, 1);
});

test('a folder renamed by others is not mistaken for the one that has its name now', async (t) => {
  const { drive, put, get, connector } = await opening(t, 'OneDrive');
  await put('/Documents/file', 'old');
  drive.relocate(drive.walk(drive.root, ['Documents']), drive.root, 'Archive', 'fail');
  assert.equal((await get('/Archive/file')).toString(), 'old');
  drive.remove(drive.walk(drive.root, ['Archive']));
  await assert.rejects(put('/Archive/new', 'x'), { kind: 'notFound' });
  await assert.rejects(connector.stat('/Archive', ask()), { kind: 'notFound' });
});

test('the drive itself cannot be renamed, moved or deleted', async (t) => {
  const { connector } = await opening(t, 'OneDrive');
  await assert.rejects(async () => connector.remove?.('/', ask()), { kind: 'unsupported' });
  await assert.rejects(async () => connector.move?.('/', '/Documents/all', ask()), { kind: 'unsupported' });
});

test('items are moved to the root and copied there', async (t) => {
  const { get, names, connector } = await opening(t, 'OneDriveForBusiness');
  await connector.move?.('/Pictures/hills.jpg', '/hills.jpg', ask());
  await connector.copy?.('/Documents', '/Papers', ask());
  assert.deepEqual(await names('/'), ['Documents', 'Handbook of Otto', 'Papers', 'Pictures', 'hills.jpg']);
  assert.match((await get('/Papers/Welcome.txt')).toString(), /^Hello/);
});

test('a copy is awaited, also when a request for its state fails', async (t) => {
  const { microsoft, names, connector } = await opening(t, 'OneDriveForBusiness');
  microsoft.world.manners.copyTakes = 400;
  microsoft.faults.next(monitor, 1, {
    kind: 'reply',
    reply: { status: 503, json: { error: { code: 'serviceNotAvailable', message: '' } } },
  });
  microsoft.faults.next(monitor, 1, { kind: 'cut', afterBytes: 0 });
  await connector.copy?.('/Documents', '/Papers', ask());
  assert.ok((await names('/')).includes('Papers'));
  const failed = { status: 'failed', error: { code: 'quotaLimitReached' } };
  microsoft.faults.next(monitor, 1, { kind: 'reply', reply: { json: failed } });
  await assert.rejects(async () => connector.copy?.('/Documents', '/More papers', ask()), { kind: 'full' });
});

test('a copy that redirects to the new item instead of reporting it counts as complete', async (t) => {
  const { microsoft, connector } = await opening(t, 'OneDriveForBusiness');
  microsoft.world.manners.copyTakes = 0;
  microsoft.faults.next(monitor, 1, { kind: 'reply', reply: { status: 303, headers: { location: 'https://elsewhere.example/' } } });
  assert.equal((await connector.copy?.('/Documents', '/Papers', ask()))?.name, 'Papers');
});

test('a shortcut to a shared folder shows its contents; deleting it deletes only the shortcut', async (t) => {
  const { microsoft, put, get, names, connector } = await opening(t, 'OneDriveForBusiness');
  const at = '/Handbook of Otto';
  assert.deepEqual(await names(at), ['Rules.txt']);
  assert.equal((await connector.lstat?.(at, ask()))?.isLink, true);
  assert.equal((await connector.lstat?.('/Documents', ask()))?.isLink, undefined);
  assert.equal((await get(`${at}/Rules.txt`)).toString(), 'Be kind.\n');
  await put(`${at}/Rules.txt`, 'Be kinder.\n');
  await put(`${at}/Added.txt`, 'By Noor.\n');
  await connector.createFolder?.(`${at}/More`, ask());
  await assert.rejects(async () => connector.move?.(`${at}/Added.txt`, '/Added.txt', ask()), { kind: 'unsupported' });
  await connector.copy?.(`${at}/Added.txt`, '/Copied.txt', ask());
  await connector.rename?.(at, 'Our handbook', ask());
  assert.deepEqual(await names('/Our handbook'), ['Added.txt', 'More', 'Rules.txt']);
  await connector.remove?.('/Our handbook', ask());
  const otto = microsoft.driveOf(microsoft.people.otto);
  assert.deepEqual([...otto.walk(otto.root, ['Handbook']).children.keys()].sort(), ['added.txt', 'more', 'rules.txt']);
});

test('a file that cannot be rendered has no thumbnail', async (t) => {
  const { connector } = await opening(t, 'OneDrive');
  await assert.rejects(async () => connector.thumbnail?.('/Documents/Welcome.txt', { ...ask(), size: 100 }), { kind: 'unsupported' });
});

test('a search treats quotes and slashes as text', async (t) => {
  const { put, connector } = await opening(t, 'OneDrive');
  await put("/Documents/it's here.txt", 'x');
  const found: string[] = [];
  for await (const batch of connector.search?.('/', { ...ask(), query: "it's" }) ?? []) found.push(...batch.map(({ path }) => path));
  for await (const batch of connector.search?.('/', { ...ask(), query: "a/b 100% ')" }) ?? []) found.push(...batch.map(({ path }) => path));
  assert.deepEqual(found, ["/Documents/it's here.txt"]);
});
