import assert from 'node:assert/strict';
import { readFile, readdir, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startOpenssh } from '@sheaf/testbed';
import { ConnectorError } from '../../core/error.ts';
import { noLeftovers } from '../../core/leftovers.ts';
import { StatusError, cutOff, status } from './errors.ts';
import { createServerPath } from './paths.ts';
import type { Commands } from './session/commands.ts';
import { connectTestLink } from './testing/link.ts';
import { upload } from './upload.ts';

type Options = Parameters<typeof startOpenssh>[0];

/** Starts a server with an account; opens connections to it. */
async function account(t: TestContext, options?: Options) {
  const server = await startOpenssh(options);
  const connect = async () => {
    const connection = await connectTestLink(server);
    t.after(() => connection.close());
    return connection;
  };
  t.after(() => server.stop());
  return { server, connect };
}

/** Stores `text` at `/file` with those commands; cleans up after a failure with `working`. */
const store = (text: string, ifExists: 'fail' | 'replace', commands: Commands, working: Commands, modified?: number) =>
  upload({
    commands,
    serverPath: createServerPath(''),
    path: '/file',
    body: Readable.from([Buffer.from(text)]),
    ask: { signal: AbortSignal.timeout(20_000), ifExists, ...(modified !== undefined && { modified }) },
    leftovers: noLeftovers,
    elsewhere: (work) => work(working),
  });

test('an upload that fails at its very end does not close files that other calls have open on the connection', async (t) => {
  const { server, connect } = await account(t);
  await writeFile(join(server.home, 'other'), 'bytes of another file');
  const { commands } = await connect();
  let other: Buffer = Buffer.alloc(0);
  const failing: Commands = {
    ...commands,
    async rename() {
      other = await commands.openRead(Buffer.from('./other'));
      throw new ConnectorError('forbidden', 'not into this place');
    },
  };
  await assert.rejects(store('new', 'fail', failing, commands), { kind: 'forbidden' });
  const sink = Buffer.alloc(5);
  assert.equal(await commands.session.read(other, 0, sink), 5);
  assert.equal(sink.toString(), 'bytes');
  assert.deepEqual(await readdir(server.home), ['other']);
});

test('a connection lost after the old file was moved aside loses neither the old file nor its name', async (t) => {
  const { server, connect } = await account(t, { deniedRequests: ['posix-rename'] });
  await writeFile(join(server.home, 'file'), 'the only copy');
  const [line, working] = [await connect(), await connect()];
  let renames = 0;
  const cut: Commands = {
    ...line.commands,
    async rename(from, to) {
      renames += 1;
      // The first rename finds the name taken, the second moves the old file aside.
      if (renames <= 2) return line.commands.rename(from, to);
      line.close();
      throw cutOff();
    },
  };
  await assert.rejects(store('new', 'replace', cut, working.commands), { kind: 'interrupted' });
  assert.deepEqual(await readdir(server.home), ['file']);
  assert.equal(await readFile(join(server.home, 'file'), 'utf8'), 'the only copy');
});

test('a new file that is in place, although the response was lost, is the only one that stays', async (t) => {
  const { server, connect } = await account(t, { deniedRequests: ['posix-rename'] });
  await writeFile(join(server.home, 'file'), 'old');
  const { commands } = await connect();
  let renames = 0;
  const mute: Commands = {
    ...commands,
    async rename(from, to) {
      renames += 1;
      await commands.rename(from, to);
      if (renames === 3) throw cutOff();
    },
  };
  await assert.rejects(store('new', 'replace', mute, commands), { kind: 'interrupted' });
  assert.deepEqual(await readdir(server.home), ['file']);
  assert.equal(await readFile(join(server.home, 'file'), 'utf8'), 'new');
});

test('a file that has appeared in the meantime is not replaced, even by a server whose RENAME would do so', async (t) => {
  const { server, connect } = await account(t);
  const { commands } = await connect();
  const careless: Commands = {
    ...commands,
    async flush() {
      await writeFile(join(server.home, 'file'), 'came meanwhile');
    },
    ...(commands.replace && { rename: commands.replace }),
  };
  await assert.rejects(store('new', 'fail', careless, commands), { kind: 'alreadyExists' });
  assert.equal(await readFile(join(server.home, 'file'), 'utf8'), 'came meanwhile');
});

test('a disk that is full is reported as such, whether it refuses bytes or new files', async (t) => {
  const { server, connect } = await account(t);
  const { commands } = await connect();
  const no = () => Promise.reject(new StatusError(status.failure));
  const noBytes: Commands = { ...commands, session: { ...commands.session, write: no } };
  for (const failing of [noBytes, { ...commands, create: no }]) {
    await assert.rejects(store('new', 'fail', { ...failing, freeSpace: async () => 0 }, commands), { kind: 'full' });
    await assert.rejects(store('new', 'fail', failing, commands), { kind: 'unexpected' });
  }
  assert.deepEqual(await readdir(server.home), []);
  const { bavail, bsize } = await statfs(server.home);
  const told = (await commands.freeSpace?.(Buffer.from('.'))) ?? 0;
  assert.ok(Math.abs(told / (bavail * bsize) - 1) < 0.1, `${told} of ${bavail * bsize}`);
});

test('a time that the protocol cannot represent is omitted, not stored as another', async (t) => {
  const { server, connect } = await account(t);
  const { commands } = await connect();
  const begun = Date.now() - 60_000;
  for (const modified of [-86_400, 2 ** 33]) {
    await store('new', 'replace', commands, commands, modified);
    const { mtimeMs } = await stat(join(server.home, 'file'));
    assert.ok(mtimeMs > begun && mtimeMs < begun + 3_600_000, `${modified} became ${mtimeMs}`);
  }
});
