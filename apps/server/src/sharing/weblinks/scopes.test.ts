import assert from 'node:assert/strict';
import { type TestContext, after, before, describe, test } from 'node:test';
import {
  type FirstPage,
  type LinkDraft,
  type SavedFamily,
  addFolder,
  archive,
  archiveDirectoryWeblink,
  archiveWeblink,
  createSpace,
  createWeblink,
  deleteObject,
  download,
  downloadWeblink,
  familyCalls,
  getMetadata,
  linkUriOf,
  listWeblink,
  officeTextWeblink,
  openWeblink,
  remoteUpdate,
  renameObject,
  showOrg,
  acceptOrgInvitation,
  inviteToOrg,
  thumbnailWeblink,
  upload,
} from '@sheaf/contract';
import { startApache, startFileServer, startOpenssh, startProftpd, startSwift } from '@sheaf/testbed';
import { type User, testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, s3Info, sftpInfo } from '#/testing/links.ts';
import { mailedToken } from '#/testing/outbox.ts';
import { join } from '#/testing/spaces.ts';

interface Server {
  /** Connection info of a link that starts in a folder of the server. */
  infoAt(folder: string): Readonly<Record<string, string>>;
  readonly more?: Partial<LinkDraft>;
  stop(): Promise<void>;
}

const servers: Readonly<Partial<Record<SavedFamily, () => Promise<Server>>>> = {
  async sftp() {
    const { host, port, username, password, stop } = await startOpenssh();
    return { infoAt: (path) => ({ ...sftpInfo, server: `${host}:${port}`, username, password, path }), stop };
  },
  async ftp() {
    const { host, port, user, password, stop } = await startProftpd();
    return { infoAt: (path) => ({ ...ftpInfo, protocol: 'FTP', server: `${host}:${port}`, username: user, password, path }), stop };
  },
  async webdav() {
    const { url, user, password, stop } = await startApache();
    return {
      infoAt: (path) => ({ ...davInfo, server: path === '' ? url : `${url.replace(/\/$/, '')}/${path}`, username: user, password }),
      more: { provider: 'WebDAV' },
      stop,
    };
  },
  async ofs() {
    const { url, user, password, stop } = await startFileServer();
    return { infoAt: () => ({ server: url, username: user, password }), stop };
  },
  async s3() {
    const { endpoint, key, secret, createBucket, stop } = await startSwift();
    await createBucket('photos');
    return { infoAt: () => ({ ...s3Info, host: endpoint, key, secret }), more: { provider: 'S3Compat' }, stop };
  },
};
/** Families whose links may start in a folder. */
const withStart: readonly string[] = ['sftp', 'ftp', 'webdav'];

/** Names that once became `..` as bytes or keys. */
const ups = ['\u{10fe2e}\u{10fe2e}', '.\u{10fe2e}', '\u241b..', '\u241b:..', '\u{10fec0}\u{10feae}\u{10fec0}\u{10feae}', '..\\..', '.. '];
const slash = '\u{10fe2f}';
const ways = [
  ...ups.flatMap((up) => [
    up,
    `${up}/secret.txt`,
    `${up}${slash}secret.txt`,
    `Deep/${up}/${up}/secret.txt`,
    `Deep${slash}${up}${slash}${up}${slash}secret.txt`,
    `${up}/${up}/${up}/${up}/${up}/${up}/etc/passwd`,
  ]),
  `${slash}etc${slash}passwd`,
  `${slash}${slash}etc/passwd`,
  `x\u{10fe00}`,
  '\u241b2E\u241b2E/secret.txt',
  '\u241b2F..\u241b2Fsecret.txt',
];
const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;
const secret = 'planted secret';

for (const [family, start] of Object.entries(servers) as [SavedFamily, () => Promise<Server>][]) {
  describe(`names of marks and escapes on a real ${family} server`, () => {
    let server: Server;
    before(async () => {
      server = await start();
    });
    after(() => server.stop());

    const put = (user: User, folderUri: string, name: string, text: string) => {
      const query = new URLSearchParams({ parentLinkUri: folderUri, name, conflict: 'replace' });
      const headers = { 'x-rtag': user.cookies.get('sh') ?? '' };
      return user.inject({ method: 'PUT', url: `${upload.path}?${query.toString()}`, headers, payload: text });
    };

    /** A link with the folder "shared" and secrets outside it. */
    async function setting(t: TestContext) {
      const app = await testApp(t, { settings: { SHEAF_BILLING: 'off' } });
      const user = await app.signUp();
      const { userLinkId } = await user.ask(familyCalls[family].add, draftOf(server.infoAt(''), { linkName: 'NAS', ...server.more }));
      const uri = (path: string): string => linkUriOf(userLinkId, path);
      for (const folder of ['shared', 'private'])
        await user.send(addFolder, { parentLinkUri: uri('/'), folderName: folder, conflict: 'fail' });
      await user.send(addFolder, { parentLinkUri: uri('/shared'), folderName: 'Deep', conflict: 'fail' });
      const files = [
        ['/', 'secret.txt'],
        ['/private', 'secret.txt'],
        ['/shared', 'a.txt'],
        ['/shared/Deep', 'c.txt'],
      ] as const;
      for (const [folder, name] of files)
        assert.equal((await put(user, uri(folder), name, name === 'secret.txt' ? secret : 'inside')).statusCode, 200);
      const names = async (path: string): Promise<string[]> => {
        const { items } = (await user.send(remoteUpdate, { linkUri: uri(path), fresh: true })).json<{ data: FirstPage }>().data;
        return items.map((item) => item.name).toSorted();
      };
      return {
        ...app,
        user,
        uri,
        /** Fails unless everything outside the folder is unchanged. */
        async checkOutside() {
          assert.deepEqual(await names('/'), ['private', 'secret.txt', 'shared']);
          assert.deepEqual(await names('/private'), ['secret.txt']);
          for (const path of ['/secret.txt', '/private/secret.txt'])
            assert.equal((await user.send(download, { linkUri: uri(path) })).body, secret);
        },
      };
    }

    if (withStart.includes(family))
      test("never lead a member out of the start folder of an organisation's link", async (t) => {
        const app = await setting(t);
        const { org } = await app.user.ask(showOrg, { trialDays: 7, orgName: 'Acme' });
        const member = await app.signUp();
        await app.user.ask(inviteToOrg, { orgOid: org.orgOid, emails: member.email, role: 'member' });
        await member.ask(acceptOrgInvitation, { token: await mailedToken(app, member.email, '/invitation/org') });
        const draft = draftOf(server.infoAt('shared'), { orgOid: org.orgOid, linkName: 'Ours', ...server.more });
        const { userLinkId } = await app.user.ask(familyCalls[family].add, draft);
        assert.equal((await member.send(download, { linkUri: linkUriOf(userLinkId, '/Deep/c.txt') })).body, 'inside');
        for (const path of ways) {
          const linkUri = linkUriOf(userLinkId, `/${path}`);
          for (const answer of [
            await member.send(download, { linkUri }),
            await member.send(archive, { linkUri: [linkUri] }),
            await member.send(deleteObject, { linkUri }),
          ]) {
            assert.ok(answer.statusCode >= 400, `${JSON.stringify(path)}: ${answer.statusCode}`);
            assert.ok(!answer.body.includes(secret) && !answer.body.includes('root:'), JSON.stringify(path));
          }
        }
        await app.checkOutside();
      });

    test('never lead a visitor out of a share, in any call', async (t) => {
      const { user, uri, visitor, checkOutside } = await setting(t);
      const { sharelinkurl } = await user.ask(createWeblink, { linkUri: uri('/shared') });
      const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
      const stranger = visitor();
      await stranger.ask(openWeblink, { weblinkId });
      for (const path of ways) {
        const answers = {
          download: await stranger.send(downloadWeblink, { weblinkId, path }),
          list: await stranger.send(listWeblink, { weblinkId, path, ...view }),
          archive: await stranger.send(archiveWeblink, { weblinkId, path: [path] }),
          thumbnail: await stranger.send(thumbnailWeblink, { weblinkId, path }),
          preview: await stranger.send(archiveDirectoryWeblink, { weblinkId, path }),
          office: await stranger.send(officeTextWeblink, { weblinkId, path }),
        };
        for (const [call, { statusCode, body }] of Object.entries(answers)) {
          const what = `${call} ${JSON.stringify(path)}: ${statusCode} ${body.slice(0, 200)}`;
          assert.ok(statusCode >= 400 && statusCode < 500, what);
          assert.ok(!body.includes(secret) && !body.includes('root:'), what);
        }
      }
      assert.equal((await stranger.send(downloadWeblink, { weblinkId, path: 'Deep/c.txt' })).body, 'inside');
      await checkOutside();
    });

    test('never lead an editor out of a Space, whatever is read, written, renamed or deleted', async (t) => {
      const app = await setting(t);
      const member = await app.signUp();
      const { space } = await app.user.ask(createSpace, { storageLinkUri: app.uri('/shared'), spaceName: 'Team' });
      const { userLinkId } = await join(app, space, member, 'editor');
      const uri = (path: string): string => linkUriOf(userLinkId, path);
      for (const path of ways) {
        const linkUri = uri(`/${path}`);
        const reads = [
          await member.send(download, { linkUri }),
          await member.send(getMetadata, { linkUri }),
          await member.send(remoteUpdate, { linkUri, fresh: true }),
          await member.send(archive, { linkUri: [linkUri] }),
          await member.send(deleteObject, { linkUri }),
          await member.send(renameObject, { linkUri, newName: 'mine' }),
        ];
        for (const { statusCode, body } of reads) {
          assert.ok(!body.includes(secret) && !body.includes('root:'), `${JSON.stringify(path)}: ${statusCode} ${body.slice(0, 200)}`);
          assert.ok(statusCode >= 400, `${JSON.stringify(path)}: ${statusCode} ${body.slice(0, 200)}`);
        }
      }
      for (const path of ways) {
        // A name may also be taken literally and then stays in the folder.
        const name = path.replaceAll('/', slash);
        await put(member, uri('/'), name, 'overwritten');
        await put(member, uri(`/${path}`), 'new.txt', 'overwritten');
        await member.send(addFolder, { parentLinkUri: uri('/'), folderName: `${name} folder`, conflict: 'fail' });
        await member.send(renameObject, { linkUri: uri('/a.txt'), newName: name });
        await put(member, uri('/'), 'a.txt', 'inside');
      }
      await app.checkOutside();
    });
  });
}

test('a share opens the file or folder that was shared, although an object store has both under one name', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.stop());
  await swift.createBucket('photos');
  const { signUp, visitor } = await testApp(t);
  const user = await signUp();
  const info = { ...s3Info, host: swift.endpoint, key: swift.key, secret: swift.secret };
  const { userLinkId } = await user.ask(familyCalls.s3.add, draftOf(info, { provider: 'S3Compat', linkName: 'B' }));
  const share = async (path: string): Promise<string> => {
    const { sharelinkurl } = await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, path) });
    return sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  };
  const stranger = visitor();
  const opens = async (weblinkId: string) => (await stranger.send(openWeblink, { weblinkId })).statusCode;

  await swift.putObject('photos', 'both/inside.txt', secret);
  const folder = await share('/both');
  await swift.putObject('photos', 'both', 'the file');
  const file = await share('/both');
  assert.equal((await stranger.send(downloadWeblink, { weblinkId: file })).body, 'the file');
  for (const path of ['inside.txt', '\u241b:both', '\u241b', '\u241b/inside.txt', '/inside.txt/']) {
    const answers = [
      await stranger.send(downloadWeblink, { weblinkId: file, path }),
      await stranger.send(listWeblink, { weblinkId: file, path, ...view }),
      await stranger.send(archiveWeblink, { weblinkId: file, path: [path] }),
      await stranger.send(thumbnailWeblink, { weblinkId: file, path }),
      await stranger.send(archiveDirectoryWeblink, { weblinkId: file, path }),
      await stranger.send(officeTextWeblink, { weblinkId: file, path }),
    ];
    for (const { statusCode, body } of answers) assert.deepEqual([statusCode, body.includes(secret)], [404, false], path);
  }
  // The folder's share does not show a file that has taken its name.
  assert.equal(await opens(folder), 404);
  assert.equal((await stranger.send(downloadWeblink, { weblinkId: folder })).statusCode, 409);
  assert.equal((await stranger.send(archiveWeblink, { weblinkId: folder })).statusCode, 404);

  // Nor does the file's share show the folder once the file is deleted.
  await user.ask(deleteObject, { linkUri: linkUriOf(userLinkId, '/both') });
  assert.equal(await opens(file), 404);
  assert.equal((await stranger.send(listWeblink, { weblinkId: file, ...view })).statusCode, 409);
  assert.equal((await stranger.send(archiveWeblink, { weblinkId: file })).statusCode, 404);
  assert.equal(await opens(folder), 200);
  assert.equal((await stranger.send(downloadWeblink, { weblinkId: folder, path: 'inside.txt' })).body, secret);
});
