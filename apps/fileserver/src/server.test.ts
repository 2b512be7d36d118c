import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { eventually, run, startFileServer } from '@sheaf/testbed';

/** A server whose export has links that lead out, to a secret file and its folder. */
async function setting(t: TestContext) {
  const outside = await mkdtemp(join(tmpdir(), 'sheaf-outside-'));
  await writeFile(join(outside, 'secret'), 'swordfish');
  const server = await startFileServer();
  t.after(async () => {
    await server.stop();
    await rm(outside, { recursive: true });
  });
  await writeFile(join(server.root, 'file'), 'bytes');
  await mkdir(join(server.root, 'folder'));
  await symlink(join(outside, 'secret'), join(server.root, 'link-to-file'));
  await symlink(outside, join(server.root, 'link-to-folder'));
  await symlink('../../../../../../etc/passwd', join(server.root, 'link-up'));
  await symlink('nowhere', join(server.root, 'dangling'));
  await symlink('circle', join(server.root, 'circle'));
  const authorization = `Basic ${Buffer.from(`${server.user}:${server.password}`).toString('base64')}`;
  const ask = async (method: string, call: string, options: { body?: string; headers?: Record<string, string> } = {}) => {
    const response = await fetch(`${server.url}/sheaf/v1/${call}`, { ...options, method, headers: { authorization, ...options.headers } });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return { server, outside, ask, authorization };
}

const codeOf = (body: string): unknown => (JSON.parse(body) as { readonly code: unknown }).code;

test('no path leads out of the exported folder, however it is written', async (t) => {
  const { ask, outside } = await setting(t);
  const escapes = [
    '/..',
    '/../secret',
    '/folder/../../secret',
    '/.',
    '/folder/.',
    '//etc/passwd',
    '//',
    '/folder//',
    '/folder/',
    'etc',
    '',
    '%2Fetc%2Fpasswd',
  ];
  const encoded = [
    '/%2e%2e',
    '/%2E%2e/secret',
    '/.%2e',
    '/..%2Fsecret',
    '/folder%2F..%2F..%2Fsecret',
    '/%2Fetc%2Fpasswd',
    '/a%00b',
    '/%00',
    '/%',
    '/%zz',
    '/%c0%ae%2e/x%2f',
    '/a b%',
  ];
  for (const path of [...escapes, ...encoded])
    for (const [method, call] of [
      ['GET', 'entries'],
      ['GET', 'entry'],
      ['GET', 'content'],
      ['PUT', 'content'],
      ['POST', 'folder'],
      ['DELETE', 'entry'],
    ] as const) {
      const { status, text: body } = await ask(
        method,
        `${call}?path=${path.replaceAll(' ', '%20')}`,
        method === 'PUT' ? { body: 'x' } : {},
      );
      assert.deepEqual([status, codeOf(body)], [422, 'badName'], `${method} ${call} ${path}`);
    }
  assert.deepEqual(await readdir(outside), ['secret']);
});

test('links that point outside, nowhere or in circles do not exist for readers', async (t) => {
  const { ask } = await setting(t);
  for (const path of ['/link-to-file', '/link-to-folder/secret', '/link-up', '/dangling', '/circle'])
    for (const call of ['entry', 'content']) {
      const { status, text: body } = await ask('GET', `${call}?path=${path}`);
      assert.deepEqual([status, codeOf(body)], [404, 'notFound'], `${call} ${path}`);
    }
  assert.equal((await ask('GET', 'entries?path=/link-to-folder')).status, 404);
  const lines = (await ask('GET', 'entries?path=/')).text.trim().split('\n');
  const names = lines.map((line) => (JSON.parse(line) as { readonly name?: string }).name);
  assert.deepEqual(names.filter((name) => name !== undefined).sort(), ['file', 'folder']);
});

test('nothing can be written, created, moved, copied or deleted through a link that points outside', async (t) => {
  const { ask, outside, server } = await setting(t);
  const refused = async (method: string, call: string, code: string) => {
    const { text: body } = await ask(method, call, method === 'PUT' ? { body: 'changed' } : {});
    assert.equal(codeOf(body), code, `${method} ${call}`);
  };
  await refused('PUT', 'content?path=/link-to-file', 'forbidden');
  await refused('PUT', 'content?path=/dangling', 'forbidden');
  await refused('PUT', 'content?path=/link-to-folder/new', 'notFound');
  await refused('POST', 'folder?path=/link-to-folder/new', 'notFound');
  await refused('POST', 'folder?path=/dangling', 'alreadyExists');
  await refused('POST', 'move?path=/file&to=/link-to-folder/new', 'notFound');
  await refused('POST', 'move?path=/link-to-folder/secret&to=/stolen', 'notFound');
  await refused('POST', 'copy?path=/link-to-file&to=/stolen', 'forbidden');
  await refused('POST', 'copy?path=/link-to-folder&to=/stolen', 'forbidden');
  await refused('POST', 'copy?path=/dangling&to=/stolen', 'forbidden');
  await refused('POST', 'move?path=/link-to-folder&to=/folder/stolen', 'unsupported');
  await refused('DELETE', 'entry?path=/link-to-folder/secret', 'notFound');
  await refused('DELETE', 'entry?path=/', 'forbidden');
  assert.equal((await ask('DELETE', 'entry?path=/link-to-folder')).status, 204);
  await symlink(outside, join(server.root, 'folder', 'link'));
  assert.equal((await ask('POST', 'copy?path=/folder&to=/second')).status, 201);
  assert.equal((await ask('GET', 'content?path=/second/link/secret')).status, 404);
  assert.equal((await ask('DELETE', 'entry?path=/folder')).status, 204);
  assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'swordfish');
  assert.deepEqual(await readdir(outside), ['secret']);
});

test('partial files can be neither seen nor changed', async (t) => {
  const { ask, server } = await setting(t);
  await writeFile(join(server.root, '.sheaf-partial-1'), 'half');
  assert.ok(!(await ask('GET', 'entries?path=/')).text.includes('partial'));
  for (const [method, call] of [
    ['GET', 'entry'],
    ['PUT', 'content'],
    ['DELETE', 'entry'],
  ] as const)
    assert.equal(codeOf((await ask(method, `${call}?path=/.sheaf-partial-1`)).text), 'badName');
  assert.equal(await readFile(join(server.root, '.sheaf-partial-1'), 'utf8'), 'half');
});

test('pipes are not listed, and reading one does not hang', async (t) => {
  const { ask, server } = await setting(t);
  await run('mkfifo', [join(server.root, 'pipe')]);
  assert.equal((await ask('GET', 'content?path=/pipe')).status, 404);
  assert.ok(!(await ask('GET', 'entries?path=/')).text.includes('pipe'));
});

test('every call without a valid login is refused, and the answer says how to sign in', async (t) => {
  const { server } = await setting(t);
  const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
  const { id } = JSON.parse(server.connection) as { readonly id: string };
  for (const authorization of [
    '',
    'Basic',
    'Basic !!!',
    basic('mara'),
    basic(`mara:`),
    basic(`mara:${server.password} `),
    'Bearer x',
    `Bearer ${id}.`,
    `Bearer ${id}.x`,
    'Digest a',
  ])
    for (const call of ['info', 'entries?path=/', 'nothing']) {
      const response = await fetch(`${server.url}/sheaf/v1/${call}`, { headers: authorization === '' ? {} : { authorization } });
      assert.deepEqual([response.status, codeOf(await response.text())], [401, 'unauthorized'], `${authorization} ${call}`);
      assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm="Sheaf".*Bearer/);
    }
});

test('an incomplete upload leaves nothing', async (t) => {
  const { server, authorization } = await setting(t);
  const socket = connect(server.port, server.host);
  socket.end(
    `PUT /sheaf/v1/content?path=/file HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 100\r\n\r\nonly this`,
  );
  assert.ok(!/ 20\d /.test(await text(socket)));
  assert.equal(await readFile(join(server.root, 'file'), 'utf8'), 'bytes');
  // The server cleans up after the connection was closed.
  await eventually(async () => !(await readdir(server.root)).some((name) => name.startsWith('.')), 'the partial file is gone');
});

test('ranges follow the standard, and a range of an older version returns the whole file', async (t) => {
  const { ask } = await setting(t);
  const get = async (headers: Record<string, string>) => {
    const { status, text: body, headers: answer } = await ask('GET', 'content?path=/file', { headers });
    return [status, status === 416 ? '' : body, answer.get('content-range')];
  };
  assert.deepEqual(await get({ range: 'bytes=1-2' }), [206, 'yt', 'bytes 1-2/5']);
  assert.deepEqual(await get({ range: 'bytes=3-' }), [206, 'es', 'bytes 3-4/5']);
  assert.deepEqual(await get({ range: 'bytes=-2' }), [206, 'es', 'bytes 3-4/5']);
  assert.deepEqual(await get({ range: 'bytes=0-99' }), [206, 'bytes', 'bytes 0-4/5']);
  assert.deepEqual(await get({ range: 'bytes=5-' }), [416, '', 'bytes */5']);
  assert.deepEqual(await get({ range: 'bytes=2-1' }), [200, 'bytes', null]);
  assert.deepEqual(await get({ range: 'bytes=0-1', 'if-range': '"old"' }), [200, 'bytes', null]);
  const etag = (await ask('GET', 'content?path=/file')).headers.get('etag') ?? '';
  assert.deepEqual(await get({ range: 'bytes=0-1', 'if-range': etag }), [206, 'by', 'bytes 0-1/5']);
});

test('a replaced file keeps its permissions, and its other hard links keep the old bytes', async (t) => {
  const { ask, server } = await setting(t);
  await run('chmod', ['640', join(server.root, 'file')]);
  await link(join(server.root, 'file'), join(server.root, 'other'));
  assert.equal((await ask('PUT', 'content?path=/file', { body: 'new' })).status, 201);
  assert.equal((await run('stat', ['-c', '%a', join(server.root, 'file')])).trim(), '640');
  assert.equal(await readFile(join(server.root, 'other'), 'utf8'), 'bytes');
});

test('many files in one request: links within the export are followed; links that point outside and pipes are missing', async (t) => {
  const { server, ask } = await setting(t);
  await symlink('file', join(server.root, 'link-within'));
  await run('mkfifo', [join(server.root, 'pipe')]);
  const many = (body: string) => ask('POST', 'contents', { body });
  assert.equal((await many('5 /link-within\n5 /file\n')).text, 'bytesbytes');
  for (const path of ['/link-to-file', '/link-to-folder/secret', '/link-up', '/dangling', '/circle', '/pipe', '/folder/missing']) {
    const { status, text: body } = await many(`9 ${path}`);
    assert.deepEqual([status, codeOf(body)], [404, 'notFound'], path);
  }
  assert.equal(codeOf((await many('9 /folder')).text), 'isAFolder');
  assert.equal(codeOf((await many('6 /file')).text), 'sizeDiffers');
  for (const wrong of ['5 /../file', '/file', '5 file', '5 /file /file', '5 /a%2fb', '-1 /file'])
    assert.equal(codeOf((await many(wrong)).text), 'badName', wrong);
  assert.equal((await many('0 /file\n'.repeat(300))).status, 405);
  assert.equal((await ask('GET', 'content?path=/file')).text, 'bytes');
});

test('a later file that does not match the request aborts the answer, and the server keeps running', async (t) => {
  const { server, ask } = await setting(t);
  await writeFile(join(server.root, 'large'), Buffer.alloc(1024 * 1024, 'x'));
  await assert.rejects(ask('POST', 'contents', { body: '1048576 /large\n1048576 /large\n6 /file\n' }));
  assert.equal((await ask('POST', 'contents', { body: '1048576 /large\n5 /file\n' })).text.length, 1024 * 1024 + 5);
});
