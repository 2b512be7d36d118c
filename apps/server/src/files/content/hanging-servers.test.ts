import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LinkDraft, type SavedFamily, addFolder, familyCalls, remoteUpdate } from '@sheaf/contract';
import { eventually, startApache, startOpenssh, startProftpd, startProxy } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, sftpInfo } from '#/testing/links.ts';

/** A server by way of a proxy: its port, and the connection info for another port. */
interface Server {
  readonly port: number;
  readonly infoFor: (port: number) => Readonly<Record<string, string>>;
  readonly more?: Partial<LinkDraft>;
  stop(): Promise<void>;
}

const servers: Readonly<Partial<Record<SavedFamily, () => Promise<Server>>>> = {
  async sftp() {
    const { port, username, password, stop } = await startOpenssh();
    return { port, infoFor: (at) => ({ ...sftpInfo, server: `127.0.0.1:${at}`, username, password }), stop };
  },
  async ftp() {
    const { port, user, password, stop } = await startProftpd();
    const login = { ...ftpInfo, protocol: 'FTP', username: user, password };
    return { port, infoFor: (at) => ({ ...login, server: `127.0.0.1:${at}` }), stop };
  },
  async webdav() {
    const { url, port, user, password, stop } = await startApache();
    const login = { ...davInfo, username: user, password };
    return { port, infoFor: (at) => ({ ...login, server: url.replace(`:${port}`, `:${at}`) }), more: { provider: 'WebDAV' }, stop };
  },
};

/** ms that a source may take in this test, instead of 20 s. */
const begin = 4000;
/** ms for what does not wait for the source. */
const atOnce = begin / 2;
/** ms for what does, on a busy machine. */
const inTime = 3 * begin;
const view = { sort: 'name', order: 'asc', limit: 100 } as const;

async function timed<T>(call: Promise<T>): Promise<readonly [T, number]> {
  const began = performance.now();
  return [await call, performance.now() - began];
}

for (const [family, start] of Object.entries(servers))
  test(`${family}: when a server hangs, stored rows come at once and the reason in time; a folder never seen is an error`, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    const proxy = await startProxy({ target: { port: server.port } });
    t.after(() => proxy.stop());
    const deadlinesOf = () => ({ begin, silence: begin });
    const { signUp } = await testApp(t, { deadlinesOf, settings: { SHEAF_PRIVATE_NETWORKS: 'allow' } });
    const user = await signUp();
    const { add } = familyCalls[family as SavedFamily];
    const { linkUri } = await user.ask(add, draftOf(server.infoFor(proxy.port), { serverName: 'Real', ...server.more }));
    const list = (folder: string, fresh: boolean) => user.ask(remoteUpdate, { linkUri: folder, ...view, fresh, refresh: true });
    const { linkUri: unseen } = await user.ask(addFolder, { parentLinkUri: linkUri, folderName: 'unseen', conflict: 'fail' });
    const names = async (fresh: boolean) => (await list(linkUri, fresh)).items.map(({ name }) => name);
    // The second reading begins when the first one is stored.
    await names(true);
    assert.ok((await names(true)).includes('unseen'));

    proxy.hang();
    const waiting = timed(list(linkUri, true));
    const refused = timed(user.refusal(remoteUpdate, { linkUri: unseen, ...view, fresh: false, refresh: true }));
    await eventually(async () => (await list(linkUri, false)).stale, 'the source is being asked');
    const [stored, storedTime] = await timed(list(linkUri, false));
    assert.ok(stored.items.some(({ name }) => name === 'unseen'));
    assert.ok(storedTime < atOnce, `the stored rows took ${storedTime} ms`);

    const [renewed, renewedTime] = await waiting;
    assert.ok(renewedTime < inTime, `the reason took ${renewedTime} ms`);
    assert.equal(renewed.items.length, stored.items.length);
    assert.equal(renewed.refreshError?.messageCode, 'SOURCE_TIMEOUT');
    const [refusal, refusedTime] = await refused;
    assert.equal(refusal.messageCode, 'SOURCE_TIMEOUT');
    assert.ok(refusedTime < inTime, `the error took ${refusedTime} ms`);

    proxy.resume();
    const again = await list(linkUri, true);
    assert.equal(again.refreshError, undefined);
  });
