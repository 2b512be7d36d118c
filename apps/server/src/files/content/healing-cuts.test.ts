import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type LinkDraft, type SavedFamily, download, familyCalls, linkUriOf } from '@sheaf/contract';
import { type CutPlan, createRandom, startFtpProxy, startProftpd, startProxy, startSwift, startVsftpd } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, ftpInfo, s3Info } from '#/testing/links.ts';

/** A real server behind a connection that can be cut. */
interface Stage {
  readonly family: SavedFamily;
  readonly info: Readonly<Record<string, string>>;
  readonly more?: Partial<LinkDraft>;
  readonly cuts: Pick<CutPlan, 'arm' | 'remaining'>;
  /** Writes a file as another program would, `age` seconds ago. */
  write(name: string, text: string, age: number): Promise<void>;
  stop(): Promise<void>;
}

const overFtp = (start: typeof startProftpd) => async (): Promise<Stage> => {
  const server = await start();
  const { user: username, password, home } = server;
  const proxy = await startFtpProxy(server);
  return {
    family: 'ftp',
    info: { ...ftpInfo, protocol: 'FTP', server: `127.0.0.1:${proxy.port}`, username, password },
    cuts: proxy.cuts,
    async write(name, text, age) {
      const time = Date.now() / 1000 - age;
      await writeFile(join(home, name), text, { mode: 0o644 });
      await utimes(join(home, name), time, time);
    },
    async stop() {
      await proxy.stop();
      await server.stop();
    },
  };
};

const stages: Readonly<Record<string, () => Promise<Stage>>> = {
  ProFTPD: overFtp(startProftpd),
  vsftpd: overFtp(startVsftpd),
  async 'an S3 server'() {
    const swift = await startSwift();
    await swift.createBucket('photos');
    const proxy = await startProxy({ target: swift });
    const { key, secret } = swift;
    return {
      family: 's3',
      info: { ...s3Info, host: `http://127.0.0.1:${proxy.port}`, key, secret },
      more: { provider: 'S3Compat' },
      cuts: proxy.cuts,
      write: (name, text) => swift.putObject('photos', name, text),
      async stop() {
        await proxy.stop();
        await swift.stop();
      },
    };
  },
};

/** Downloads files of the root as a browser would. */
async function linked(t: TestContext, { family, info, more }: Stage): Promise<(name: string) => Promise<Response>> {
  const { app, signUp } = await testApp(t);
  const user = await signUp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { userLinkId } = await user.ask(familyCalls[family].add, draftOf(info, { serverName: 'Real', ...more }));
  return (name) => {
    const query = new URLSearchParams({ linkUri: linkUriOf(userLinkId, `/${name}`) });
    return fetch(`http://127.0.0.1:${port}${download.path}?${query.toString()}`, { headers: { cookie } });
  };
}

const hashOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const size = 12_000_000;
const textOf = (): string => randomBytes(size / 2).toString('hex');

for (const [title, start] of Object.entries(stages)) {
  test(`downloads from ${title} arrive complete although the connection is cut three times at random offsets`, async (t) => {
    const stage = await start();
    t.after(() => stage.stop());
    const get = await linked(t, stage);
    const text = textOf();
    await stage.write('big.bin', text, 100);
    for (const seed of [1, 2, 3, 4]) {
      const random = createRandom(seed);
      const distances = Array.from({ length: 3 }, () => Math.ceil(1 + random() * (size / 3 - 100_000)));
      stage.cuts.arm(distances);
      const response = await get('big.bin');
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.deepEqual([bytes.byteLength, hashOf(bytes)], [size, hashOf(text)], `seed ${seed}: cuts after ${distances.join(', ')}`);
      assert.equal(stage.cuts.remaining(), 0);
    }
  });

  test(`a file of ${title} that is replaced while its download is cut breaks the download, and never comes as a mixture`, async (t) => {
    const stage = await start();
    t.after(() => stage.stop());
    const get = await linked(t, stage);
    for (const seed of [5, 6, 7]) {
      const random = createRandom(seed);
      const [old, other] = [textOf(), textOf()];
      await stage.write('big.bin', old, 100);
      stage.cuts.arm([Math.ceil(1 + random() * (size - 100_000))], () => stage.write('big.bin', other, 0));
      const response = await get('big.bin');
      const outcome = await response.arrayBuffer().then(
        (body) => `${response.status} ${hashOf(Buffer.from(body))}`,
        () => 'cut',
      );
      assert.equal(stage.cuts.remaining(), 0);
      assert.equal(outcome, 'cut', `seed ${seed}`);
    }
  });
}
