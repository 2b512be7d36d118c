import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type Env, findDefinition } from '@sheaf/connectors';
import { createMemorySource } from '@sheaf/connectors/memory';
import { findSource, linkUriOf } from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { type Cloud, startBoxCloud, startDrive, startDropboxCloud, startOneDrive } from '#/testing/storages/clouds.ts';

const MiB = 1024 * 1024;
const within = () => AbortSignal.timeout(60_000);

/** A body that breaks after its bytes, as a connection does. */
const broken = (bytes: Buffer): Readable =>
  Readable.from(
    (function* chunks() {
      for (let at = 0; at < bytes.byteLength; at += MiB) yield bytes.subarray(at, at + MiB);
      throw new Error('cut');
    })(),
    { objectMode: false },
  );

for (const [name, start] of [
  ['Dropbox', startDropboxCloud],
  ['Box', startBoxCloud],
  ['Google Drive', startDrive],
  ['OneDrive', async (t) => startOneDrive(t, 'OneDrive')],
  ['SharePoint', async (t) => startOneDrive(t, 'Sharepoint')],
] as const satisfies readonly (readonly [string, (t: TestContext) => Promise<Cloud>])[])
  test(`an upload to ${name} goes on at another instance from the last part, with the hash of the parts before`, async (t) => {
    const cloud = await start(t);
    const definition = (await findDefinition(findSource(cloud.provider) ?? assert.fail())) ?? assert.fail(cloud.provider);
    const config = definition.parse(cloud.info, cloud.provider);
    const memory = createMemorySource().definition;
    let sent = 0;
    const stand = {
      findDefinition: async () => ({
        ...memory,
        async open(_info: unknown, env: Env) {
          const tokens = { access: async () => cloud.accessToken };
          const connector = await definition.open(config, { ...env, ...(cloud.app && { app: cloud.app }), tokens });
          const sendPart = connector.sendPart?.bind(connector) ?? assert.fail('no uploads in parts');
          const counting: typeof sendPart = async (path, body, part) => {
            const receipt = await sendPart(path, body, part);
            sent += part.size;
            return receipt;
          };
          return { ...connector, sendPart: counting };
        },
      }),
    };
    const { signUp, services, secondInstance } = await testApp(t, stand);
    const user = await signUp();
    const { userLinkId } = await addSftp(user, 'Cloud', { server: 'cloud.example' });
    const second = (await secondInstance(stand)).uploads;
    const bytes = randomBytes(48 * MiB + 12_345);
    const file = { parentLinkUri: linkUriOf(userLinkId, cloud.folder), name: 'large.bin', conflict: 'fail', metadata: '' } as const;
    const { uploadId, partSize = 0 } = await services.uploads.create(user, { ...file, size: bytes.byteLength }, within());
    await assert.rejects(services.uploads.append(user, uploadId, 0, broken(bytes.subarray(0, 40 * MiB)), within()));
    const { position } = await second.state(user, uploadId, within());
    assert.ok(position >= 20 * MiB && position <= 40 * MiB, `the storage has ${position} bytes`);
    const rest = Readable.from([bytes.subarray(position)], { objectMode: false });
    assert.equal((await second.append(user, uploadId, position, rest, within())).position, bytes.byteLength);
    // The part that was on its way at the first instance may have to go again.
    assert.ok(sent <= bytes.byteLength + partSize, `${sent} bytes were sent`);
    const { connector } = await services.connections.open(user.userId, userLinkId);
    const body = await connector.read(cloud.folder === '/' ? '/large.bin' : `${cloud.folder}/large.bin`, { signal: within() });
    const chunks: Buffer[] = [];
    await body.drain(async (chunk) => void chunks.push(Buffer.from(chunk)));
    assert.ok(Buffer.concat(chunks).equals(bytes));
  });
