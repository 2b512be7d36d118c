import type { TestContext } from 'node:test';
import { createAppPassword, familyCalls } from '@sheaf/contract';
import { startApache, startFileServer, startOpenssh, startSwift } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { davInfo, draftOf, s3Info, sftpInfo } from '#/testing/links.ts';

/** Starts a real storage, and answers with what links it; by the kind of link. */
const kinds = {
  async sftp(t: TestContext) {
    const server = await startOpenssh();
    t.after(() => server.stop());
    const { host, port, username, password } = server;
    return { family: 'sftp' as const, info: { ...sftpInfo, server: `${host}:${port}`, username, password, numConcurrentConnections: '5' } };
  },
  async webdav(t: TestContext) {
    const server = await startApache();
    t.after(() => server.stop());
    const info = { ...davInfo, server: server.url, username: server.user, password: server.password };
    return { family: 'webdav' as const, info, provider: 'WebDAV' };
  },
  async objects(t: TestContext) {
    const server = await startSwift();
    t.after(() => server.stop());
    await server.createBucket('behind');
    const info = { ...s3Info, host: server.endpoint, bucketName: 'behind', key: server.key, secret: server.secret };
    return { family: 's3' as const, info };
  },
  async files(t: TestContext) {
    const server = await startFileServer({ keys: false });
    t.after(() => server.stop());
    return { family: 'ofs' as const, info: { server: server.url, username: server.user, password: server.password } };
  },
} as const;

/** `files` is our own file server, `objects` a store that speaks S3. */
export type LinkKind = keyof typeof kinds;

/** Starts a real storage for the test and links it; answers with a new app password for everything. */
export async function linkOfKind(t: TestContext, user: User, kind: LinkKind, linkName: string) {
  const { family, info, ...more } = await kinds[kind](t);
  await user.ask(familyCalls[family].add, draftOf(info, { linkName, validateConnection: false, ...more }));
  return user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
}
