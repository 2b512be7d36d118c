import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '@sheaf/connectors';
import {
  type Call,
  type FirstPage,
  type InputOf,
  type Item,
  type ReplyOf,
  addFolder,
  addOrgFolder,
  deleteObject,
  deleteOrgObject,
  folderSizes,
  getMetadata,
  getMore,
  remoteUpdate,
  renameObject,
  renameOrgObject,
  resolvePath,
} from '@sheaf/contract';
import { type ContentFixture, testContent } from '#/testing/content.ts';

/** Sends a call as a form, of the fixture's user or another. */
async function send<C extends Call>({ app, userId }: ContentFixture, call: C, input: InputOf<C> | object, user = userId) {
  const response = await app.inject({
    method: 'POST',
    url: call.path,
    headers: { cookie: `sid=${user}`, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString(),
  });
  return {
    status: response.statusCode,
    body: response.json<{ data: never; errorCode?: number; messageCode?: string; message?: string }>(),
  };
}

async function ask<Data>(fixture: ContentFixture, call: Call, input: object): Promise<Data> {
  const { status, body } = await send(fixture, call, input);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

async function refusal(fixture: ContentFixture, call: Call, input: object, user?: string): Promise<string> {
  const { body } = await send(fixture, call, input, user);
  return `${body.errorCode} ${body.messageCode}`;
}

test('a folder answers 25 rows first, folders before files, and further ones on demand [BRW-03] [BRW-29] [BRW-30]', async (t) => {
  const fixture = await testContent(t);
  const { source, uri } = fixture;
  for (let at = 0; at < 40; at++) source.put(`/file ${at}.txt`, 'x');
  source.put('/z folder/inside', 'x');
  const first = await ask<FirstPage>(fixture, remoteUpdate, { linkUri: uri('/') });
  assert.equal(first.items.length, 25);
  assert.deepEqual([first.items[0]?.name, first.items[1]?.name, first.items[11]?.name], ['z folder', 'file 0.txt', 'file 10.txt']);
  assert.deepEqual([first.total, first.unfiltered, first.hasMore, first.stale, first.hasBin], [41, 41, true, false, false]);
  assert.deepEqual(first.can, ['list', 'read', 'write', 'createFolder', 'rename', 'remove', 'share']);
  const more = await ask<FirstPage>(fixture, getMore, { linkUri: uri('/'), offset: 25 });
  assert.deepEqual([more.items.length, more.items.at(-1)?.name, more.hasMore], [16, 'file 39.txt', false]);
});

test('a brief answer leaves out what only a screen needs, and is not mistaken for a full one', async (t) => {
  const fixture = await testContent(t);
  const { source, uri } = fixture;
  for (let at = 0; at < 30; at++) source.put(`/picture ${at}.jpg`, 'x');
  const keys = async (call: Call, more: object) => {
    const { items } = await ask<FirstPage>(fixture, call, { linkUri: uri('/'), ...more });
    return [...new Set(items.flatMap((item) => Object.keys(item)))].join(' ');
  };
  for (const [call, more] of [
    [remoteUpdate, { fresh: true }],
    [remoteUpdate, { refresh: false }],
    [getMore, { offset: 25 }],
  ] as const) {
    const whole = 'name disambiguatedName linkUri fileType mimeType modified size thumbnailUrl';
    assert.equal(await keys(call, more), whole);
    assert.equal(await keys(call, { ...more, brief: true }), 'name disambiguatedName linkUri fileType modified size');
    assert.equal(await keys(call, more), whole);
  }
});

test('a file item has its name, address, type and time [BRW-17] [BRW-18] [BRW-19]', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/My folder/a b.jpg', 'abc');
  const page = await ask<FirstPage>(fixture, remoteUpdate, { linkUri: fixture.uri('/My folder') });
  const { thumbnailUrl, ...rest } = page.items[0] ?? {};
  assert.equal(page.items.length, 1);
  assert.match(thumbnailUrl ?? '', /^\/rest\/content\/thumbnail\?linkUri=%2FLink1%2FMy%2520folder%2Fa%2520b\.jpg&v=./);
  assert.deepEqual(rest, {
    name: 'a b.jpg',
    disambiguatedName: 'a b.jpg',
    linkUri: '/Link1/My%20folder/a%20b.jpg',
    fileType: 'FILE',
    mimeType: 'image/jpeg',
    modified: 1_700_000_000,
    size: 3,
  });
  const above = await ask<FirstPage>(fixture, remoteUpdate, { linkUri: fixture.uri('/') });
  assert.equal(above.items[0]?.fileType, 'FOLDER');
});

test('sorting and filtering cover the whole folder', async (t) => {
  const fixture = await testContent(t);
  for (let at = 0; at < 60; at++) fixture.source.put(`/file ${at}`, 'x'.repeat(at));
  fixture.source.put('/100% Überblick', '');
  const linkUri = fixture.uri('/');
  const bySize = await ask<FirstPage>(fixture, remoteUpdate, { linkUri, sort: 'size', order: 'desc', limit: 2 });
  assert.deepEqual(
    bySize.items.map(({ name }) => name),
    ['file 59', 'file 58'],
  );
  for (const filter of ['überBLICK', '0% ', 'uberblick']) {
    const found = await ask<FirstPage>(fixture, remoteUpdate, { linkUri, filter });
    assert.deepEqual([found.items.map(({ name }) => name), found.total, found.unfiltered], [['100% Überblick'], 1, 61], filter);
  }
  assert.equal((await ask<FirstPage>(fixture, remoteUpdate, { linkUri, filter: '_' })).total, 0);
});

test("another user's link, an unlinked one and an invalid address get the same refusal [ERR-14]", async (t) => {
  const fixture = await testContent(t);
  const { uri } = fixture;
  assert.equal(await refusal(fixture, remoteUpdate, { linkUri: uri('/') }, 'user2'), '351 INVALID_LINK_URI');
  for (const linkUri of ['/Link2', '/Link1/..', '/Link1/%2e%2e/Link2', '/Link1/a%2Fb', '', '//', '/Link1/a%00'])
    assert.equal(await refusal(fixture, remoteUpdate, { linkUri }), '351 INVALID_LINK_URI', linkUri);
  for (const call of [deleteObject, renameObject, getMetadata])
    assert.equal(await refusal(fixture, call, { linkUri: uri('/a'), newName: 'b' }, 'user2'), '351 INVALID_LINK_URI');
  assert.equal(await refusal(fixture, addFolder, { parentLinkUri: uri('/'), folderName: 'x' }, 'user2'), '351 INVALID_LINK_URI');
});

test('a file in place of a folder and a missing folder give different errors', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/file', 'x');
  assert.equal(await refusal(fixture, remoteUpdate, { linkUri: fixture.uri('/file') }), '707 NOT_A_FOLDER');
  assert.equal(await refusal(fixture, remoteUpdate, { linkUri: fixture.uri('/none') }), '701 ITEM_NOT_FOUND');
  assert.equal(await refusal(fixture, getMetadata, { linkUri: fixture.uri('/none') }), '701 ITEM_NOT_FOUND');
});

test('a path of names resolves to its item and the folders above it', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/a/b#1/c%20.txt', 'x');
  const found = await ask<{ item: Item; ancestors: Item[] }>(fixture, resolvePath, { path: 'My Files/a/b#1/c%20.txt' });
  assert.equal(found.item.linkUri, fixture.uri('/a/b#1/c%20.txt'));
  assert.equal(found.item.fileType, 'FILE');
  assert.deepEqual(
    found.ancestors.map(({ name, linkUri, fileType }) => [name, linkUri, fileType]),
    [
      ['My Files', '/Link1', 'FOLDER'],
      ['a', '/Link1/a', 'FOLDER'],
      ['b#1', '/Link1/a/b%231', 'FOLDER'],
    ],
  );
  const root = await ask<{ item: Item; ancestors: Item[] }>(fixture, resolvePath, { path: 'My Files' });
  assert.deepEqual([root.item.name, root.item.linkUri, root.ancestors], ['My Files', '/Link1', []]);
  assert.equal(await refusal(fixture, resolvePath, { path: 'my files/a' }), '351 INVALID_LINK_URI');
  assert.equal(await refusal(fixture, resolvePath, { path: 'My Files/A' }), '701 ITEM_NOT_FOUND');
  assert.equal(await refusal(fixture, resolvePath, { path: 'My Files/../x' }), '351 INVALID_LINK_URI');
});

test('a path into a stored folder is resolved without asking the source', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/a/b', 'x');
  await fixture.names('/a');
  fixture.source.setGate((operation) => {
    throw new ConnectorError('unreachable', `${operation} was asked`);
  });
  const { item } = await ask<{ item: Item }>(fixture, resolvePath, { path: 'My Files/a/b' });
  assert.equal(item.linkUri, '/Link1/a/b');
});

test('get_metadata returns the item, and the link itself for its root [API-54]', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/a.txt', 'x');
  assert.equal((await ask<Item>(fixture, getMetadata, { linkUri: fixture.uri('/a.txt') })).name, 'a.txt');
  assert.equal((await ask<Item>(fixture, getMetadata, { linkUri: fixture.uri('/') })).name, 'My Files');
});

test('a taken folder name gets a number, whatever its case [BRW-12] [BRW-13] [BRW-16] [API-48]', async (t) => {
  const fixture = await testContent(t);
  const { source, uri, names } = fixture;
  source.put('/new FOLDER/x', 'x');
  source.put('/New Folder 3', 'x');
  const make = async (folderName: string) => ask<Item>(fixture, addFolder, { parentLinkUri: uri('/'), folderName });
  assert.deepEqual([(await make('New Folder')).name, (await make('New Folder')).name], ['New Folder 2', 'New Folder 4']);
  const made = await make('Reports');
  assert.deepEqual([made.linkUri, made.fileType], [uri('/Reports'), 'FOLDER']);
  assert.ok(source.root.children.get('Reports')?.kind === 'folder');
  const shown = await ask<FirstPage>(fixture, remoteUpdate, { linkUri: uri('/'), refresh: false });
  assert.deepEqual(
    shown.items.map(({ name }) => name),
    await names('/'),
  );
});

test('a folder created meanwhile by someone else counts as taken', async (t) => {
  const fixture = await testContent(t);
  await fixture.names('/');
  fixture.source.put('/New Folder/x', 'x');
  const made = await ask<Item>(fixture, addFolder, { parentLinkUri: fixture.uri('/'), folderName: 'New Folder' });
  assert.equal(made.name, 'New Folder 2');
});

test('a folder has a size once everything below it has been listed', async (t) => {
  const fixture = await testContent(t);
  const { source, uri, names } = fixture;
  source.put('/photos/a.jpg', 'x'.repeat(100));
  source.put('/photos/2025/b.jpg', 'x'.repeat(20));
  source.put('/photos 2/c.jpg', 'x'.repeat(3));
  source.put('/d.txt', 'x'.repeat(7));
  const sizes = async (path: string) => (await ask<ReplyOf<typeof folderSizes>>(fixture, folderSizes, { linkUri: uri(path) })).folders;
  await names('/');
  await names('/photos');
  assert.deepEqual(await sizes('/'), []);
  await names('/photos/2025');
  await names('/photos 2');
  const known = await sizes('/');
  assert.deepEqual(
    known.toSorted((a, b) => a.size - b.size),
    [
      { linkUri: uri('/photos 2'), size: 3 },
      { linkUri: uri('/photos'), size: 120 },
    ],
  );
  assert.deepEqual(await sizes('/photos'), [{ linkUri: uri('/photos/2025'), size: 20 }]);
  assert.equal((await send(fixture, folderSizes, { linkUri: uri('/') }, 'user2')).status, 404);
});

test('folders created at the same time get different names', async (t) => {
  const fixture = await testContent(t);
  const made = await Promise.all(
    Array.from({ length: 8 }, () => ask<Item>(fixture, addFolder, { parentLinkUri: fixture.uri('/'), folderName: 'New Folder' })),
  );
  assert.equal(new Set(made.map(({ name }) => name)).size, 8);
});

test('a folder that must not exist yet is refused when it does', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/photos/x', 'x');
  const input = { parentLinkUri: fixture.uri('/'), folderName: 'photos', conflict: 'fail' };
  assert.equal(await refusal(fixture, addFolder, input), '702 NAME_TAKEN');
});

test('names that no item can have are refused and change nothing', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/a', 'x');
  for (const name of ['.', '..', 'a/b', 'x'.repeat(256), '漢'.repeat(86), '.sheaf-partial-1']) {
    assert.equal(await refusal(fixture, addFolder, { parentLinkUri: fixture.uri('/'), folderName: name }), '710 FILE_NAME_REFUSED', name);
    assert.equal(await refusal(fixture, renameObject, { linkUri: fixture.uri('/a'), newName: name }), '710 FILE_NAME_REFUSED', name);
  }
  assert.equal(await refusal(fixture, addFolder, { parentLinkUri: fixture.uri('/'), folderName: '' }), '107 MISSING_PARAMETER');
  assert.deepEqual(await fixture.names('/'), ['a']);
});

test('renaming shows at once and keeps the bytes [API-50]', async (t) => {
  const fixture = await testContent(t);
  const { source, uri, names } = fixture;
  source.put('/a.txt', 'x');
  source.put('/folder/inside', 'x');
  await names('/');
  await names('/folder');
  const renamed = await ask<Item>(fixture, renameObject, { linkUri: uri('/a.txt'), newName: 'é #1.txt' });
  assert.deepEqual([renamed.name, renamed.linkUri], ['é #1.txt', uri('/é #1.txt')]);
  await ask<Item>(fixture, renameObject, { linkUri: uri('/folder'), newName: 'other' });
  const shown = await ask<FirstPage>(fixture, remoteUpdate, { linkUri: uri('/'), refresh: false });
  assert.deepEqual(
    shown.items.map(({ name }) => name),
    ['other', 'é #1.txt'],
  );
  assert.deepEqual(await names('/other'), ['inside']);
  assert.equal(await refusal(fixture, remoteUpdate, { linkUri: uri('/folder') }), '701 ITEM_NOT_FOUND');
});

test('the same or an empty name changes nothing, and a taken one is refused', async (t) => {
  const fixture = await testContent(t);
  const { source, uri, names } = fixture;
  source.put('/a', 'first');
  source.put('/b', 'second');
  let renames = 0;
  source.setGate((operation) => void (operation === 'rename' && renames++));
  for (const newName of ['a', '']) assert.equal((await ask<Item>(fixture, renameObject, { linkUri: uri('/a'), newName })).name, 'a');
  assert.equal(renames, 0);
  assert.equal(await refusal(fixture, renameObject, { linkUri: uri('/a'), newName: 'b' }), '702 NAME_TAKEN');
  assert.deepEqual(await names('/'), ['a', 'b']);
});

test('deleting takes a folder with everything in it, at the source and in the listing [API-52]', async (t) => {
  const fixture = await testContent(t);
  const { source, uri, names, userLinkId, store } = fixture;
  source.put('/folder/below/file', 'x');
  source.put('/kept', 'x');
  for (const path of ['/', '/folder', '/folder/below']) await names(path);
  await ask(fixture, deleteObject, { linkUri: uri('/folder') });
  assert.deepEqual([...source.root.children.keys()], ['kept']);
  const shown = await ask<FirstPage>(fixture, remoteUpdate, { linkUri: uri('/'), refresh: false });
  assert.deepEqual([shown.items.map(({ name }) => name), shown.total], [['kept'], 1]);
  assert.equal(await store.findFolder(userLinkId, '/folder/below'), undefined);
  assert.equal(await refusal(fixture, deleteObject, { linkUri: uri('/folder') }), '701 ITEM_NOT_FOUND');
});

test('a stored row whose item is gone disappears when somebody tries to change it', async (t) => {
  const fixture = await testContent(t);
  const { source, uri, names } = fixture;
  source.put('/a', 'x');
  source.put('/b', 'x');
  await names('/');
  source.root.children.clear();
  await refusal(fixture, deleteObject, { linkUri: uri('/a') });
  await refusal(fixture, renameObject, { linkUri: uri('/b'), newName: 'c' });
  const shown = await ask<FirstPage>(fixture, remoteUpdate, { linkUri: uri('/'), refresh: false });
  assert.equal(shown.total, 0);
});

test("a link's root is neither renamed nor deleted as an item", async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/a', 'x');
  assert.equal(await refusal(fixture, deleteObject, { linkUri: fixture.uri('/') }), '704 SOURCE_CANNOT');
  assert.equal(await refusal(fixture, renameObject, { linkUri: fixture.uri('/'), newName: 'x' }), '704 SOURCE_CANNOT');
  assert.deepEqual(await fixture.names('/'), ['a']);
});

test('an operation that the source lacks is neither offered nor performed', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/a', 'x');
  for (const operation of ['write', 'createFolder', 'rename', 'remove'] as const) fixture.lacks.add(operation);
  const page = await ask<FirstPage>(fixture, remoteUpdate, { linkUri: fixture.uri('/') });
  assert.deepEqual(page.can, ['list', 'read', 'share']);
  assert.equal(await refusal(fixture, deleteObject, { linkUri: fixture.uri('/a') }), '704 SOURCE_CANNOT');
  assert.equal(await refusal(fixture, renameObject, { linkUri: fixture.uri('/a'), newName: 'b' }), '704 SOURCE_CANNOT');
  assert.equal(await refusal(fixture, addFolder, { parentLinkUri: fixture.uri('/'), folderName: 'b' }), '704 SOURCE_CANNOT');
});

test('an unknown membership is refused', async (t) => {
  const fixture = await testContent(t);
  const memberOid = 'm1';
  fixture.source.put('/a', 'x');
  const linkUri = fixture.uri('/a');
  assert.equal(
    await refusal(fixture, addOrgFolder, { parentLinkUri: fixture.uri('/'), folderName: 'x', memberOid }),
    '351 INVALID_LINK_URI',
  );
  assert.equal(await refusal(fixture, renameOrgObject, { linkUri, newName: 'b', memberOid }), '351 INVALID_LINK_URI');
  assert.equal(await refusal(fixture, deleteOrgObject, { linkUri, memberOid }), '351 INVALID_LINK_URI');
  assert.equal(await refusal(fixture, remoteUpdate, { linkUri: fixture.uri('/'), memberOid }), '351 INVALID_LINK_URI');
  assert.deepEqual(await fixture.names('/'), ['a']);
});
