import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type LinkDraft, type SavedFamily, familyCalls, linkUriOf, upload, uploadProgress } from '@sheaf/contract';
import { eventually, startApache, startFtpProxy, startOpenssh, startProxy, startSwift, startVsftpd } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, s3Info, sftpInfo } from '#/testing/links.ts';

/** A real server behind a line that stops taking bytes. */
interface Stage {
  readonly family: SavedFamily;
  readonly info: Readonly<Record<string, string>>;
  readonly more?: Partial<LinkDraft>;
  /** The client does not announce the length: object stores then take the file in parts. */
  readonly isUnannounced?: true;
  hangAfterUp(bytes: number): void;
  stop(): Promise<void>;
}

const MiB = 1 << 20;
const size = 256 * MiB;
/** Bytes that the line lets through. */
const passed = 16 * MiB;
/** Bytes that the proxy (16 MiB) and the sockets before and behind it may hold besides; Linux lets a receive buffer grow to 32 MiB. */
const held = 56 * MiB;

/** Bytes that Sheaf may read before the storage takes them: a part in memory of a file of unknown length, and the buffers of a connection before and behind it. */
const readAhead = 64 * MiB;

const stages: Readonly<Record<string, () => Promise<Stage>>> = {
  async OpenSSH() {
    const { port, username, password, stop } = await startOpenssh();
    return behind({ port, stop }, (at) => ({ family: 'sftp', info: { ...sftpInfo, server: `127.0.0.1:${at}`, username, password } }));
  },
  async vsftpd() {
    const server = await startVsftpd();
    const { user: username, password } = server;
    const proxy = await startFtpProxy(server);
    return {
      family: 'ftp',
      info: { ...ftpInfo, protocol: 'FTP', server: `127.0.0.1:${proxy.port}`, username, password },
      hangAfterUp: (bytes) => proxy.hangAfterUp(bytes),
      async stop() {
        await proxy.stop();
        await server.stop();
      },
    };
  },
  async Apache() {
    const { port, user: username, password, stop } = await startApache();
    return behind({ port, stop }, (at) => ({
      family: 'webdav',
      info: { ...davInfo, server: `http://127.0.0.1:${at}/dav`, username, password },
      more: { provider: 'WebDAV' },
    }));
  },
  'an S3 server': startS3,
  async 'an S3 server, in parts'() {
    return { ...(await startS3()), isUnannounced: true };
  },
};

async function startS3(): Promise<Stage> {
  const { port, key, secret, createBucket, stop } = await startSwift();
  await createBucket('photos');
  return behind({ port, stop }, (at) => ({
    family: 's3',
    info: { ...s3Info, host: `http://127.0.0.1:${at}`, key, secret },
    more: { provider: 'S3Compat' },
  }));
}

async function behind(
  server: { readonly port: number; stop(): Promise<void> },
  linkAt: (port: number) => Pick<Stage, 'family' | 'info' | 'more'>,
): Promise<Stage> {
  const proxy = await startProxy({ target: server });
  return {
    ...linkAt(proxy.port),
    hangAfterUp: (bytes) => proxy.hangAfterUp(proxy.bytesUp() + bytes),
    async stop() {
      await proxy.stop();
      await server.stop();
    },
  };
}

/** A user with a link to the server, and an upload to it that has begun. */
async function uploading(t: TestContext, { family, info, more, isUnannounced, hangAfterUp }: Stage) {
  const { app, signUp } = await testApp(t);
  const [user, other] = [await signUp(), await signUp()];
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { userLinkId } = await user.ask(familyCalls[family].add, draftOf(info, { serverName: 'Real', ...more }));
  hangAfterUp(passed);
  const { port } = app.server.address() as AddressInfo;
  const query = new URLSearchParams({ parentLinkUri: linkUriOf(userLinkId, '/'), name: 'film.bin', uploadId: 'one' });
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sending = request(`http://127.0.0.1:${port}${upload.path}?${query.toString()}`, {
    method: 'PUT',
    headers: {
      cookie,
      'x-rtag': user.session.rTag,
      ...(isUnannounced ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(size) }),
    },
  });
  // The test breaks it off at the end.
  sending.on('error', () => undefined);
  t.after(() => sending.destroy());
  const chunk = Buffer.alloc(MiB, 'x');
  let offered = 0;
  const offer = (): void => {
    while (offered < size) {
      offered += chunk.byteLength;
      if (!sending.write(chunk)) return void sending.once('drain', offer);
    }
  };
  offer();
  const takenBy = async (who: typeof user): Promise<number | undefined> =>
    (await who.ask(uploadProgress, { uploadIds: ['one', 'unknown'] })).uploads.find(({ uploadId }) => uploadId === 'one')?.taken;
  /** Bytes that have left the client. */
  const sent = (): number => offered - sending.writableLength;
  return { taken: () => takenBy(user), takenForOther: () => takenBy(other), sent };
}

for (const [title, start] of Object.entries(stages))
  test(`the progress of an upload counts what ${title} has taken, not what Sheaf has read`, async (t) => {
    const stage = await start();
    t.after(() => stage.stop());
    const { taken, takenForOther, sent } = await uploading(t, stage);
    let last = -1;
    let repeats = 0;
    await eventually(async () => {
      const before = last;
      last = (await taken()) ?? -1;
      repeats = last === before ? repeats + 1 : 0;
      return last >= passed / 2 && repeats === 25;
    }, 'the line is full');
    t.diagnostic(`${(last / MiB).toFixed(1)} MiB taken of ${passed / MiB} MiB passed`);
    assert.ok(last <= passed + held, `${last} bytes taken`);
    assert.ok(sent() - last <= readAhead, `${sent()} bytes read, ${last} taken`);
    assert.equal(await takenForOther(), undefined);
  });
