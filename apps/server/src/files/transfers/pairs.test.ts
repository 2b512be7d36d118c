import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { nameOf } from '@sheaf/connectors';
import {
  addFolder,
  copyObjects,
  exportRclone,
  familyCalls,
  linkUriOf,
  oneTransfer,
  planTransfer,
  remoteUpdate,
  startTransfer,
  transferPlan,
  transferReport,
  undoTransfer,
} from '@sheaf/contract';
import { eventually, run, startApache, startAzurite, startFileServer, startOpenssh, startProftpd, startSwift } from '@sheaf/testbed';
import { type User, testApp } from '#/testing/app.ts';
import { testEngine } from '#/testing/database.ts';
import { davInfo, draftOf, ftpInfo, s3Info, sftpInfo } from '#/testing/links.ts';

/** Names that often break programs, valid on every one of the servers. */
const names = [
  'plain.txt',
  'a b.txt',
  '#1 100%.txt',
  'a&b+c=d.txt',
  `it's "quoted".txt`,
  '🙂 漢字.txt',
  'e\u0301.txt',
  '.hidden',
  'deep/er/empty.txt',
  'deep/large.bin',
] as const;

/** Names that a file at an SFTP server may have, and that others refuse, change, or take for each other's. */
const hostileNames = [
  'back\\slash.txt',
  'colon: star* quest?.txt',
  'pipe|less<more>.txt',
  'trailing dot.',
  'trailing space ',
  ' leading space.txt',
  '-rf first.txt',
  '$(touch x) `id`; ls.txt',
  '100%25 %2F.txt',
  'new\nline.txt',
  'tab\there.txt',
  'CON.txt',
  '~tilde',
  '\u202Etxt.exe',
  'Case.txt',
  'case.txt',
  '\u00e9 twin.txt',
  'e\u0301 twin.txt',
  'x'.repeat(255),
];

/** Bytes; the large file is copied in three parts. */
const sizeOf = (name: string): number => (name.endsWith('large.bin') ? 33 * 1024 * 1024 + 17 : name.endsWith('empty.txt') ? 0 : 100_000);

async function finished(user: User, transferId: string) {
  let state = '';
  await eventually(
    async () => {
      ({ state } = await user.ask(oneTransfer, { transferId }));
      return ['done', 'failed', 'planned', 'canceled'].includes(state);
    },
    'the transfer has ended',
    60_000,
  );
  return state;
}

test('rclone finds no difference after copies between every pair of real servers', async (t) => {
  const [ssh, ftp, dav, swift, azure, files] = await Promise.all([
    startOpenssh(),
    startProftpd(),
    startApache(),
    startSwift(),
    startAzurite(),
    startFileServer(),
  ]);
  t.after(() => Promise.all([ssh, ftp, dav, swift, azure, files].map((server) => server.stop())));
  await Promise.all([swift.createBucket('photos'), azure.createContainer('papers')]);
  const seed = join(ssh.home, 'seed');
  for (const name of names) {
    await mkdir(dirname(join(seed, name)), { recursive: true });
    await writeFile(join(seed, name), randomBytes(sizeOf(name)));
  }
  /** Other bytes under the same names. */
  const others = join(ssh.home, 'others', 'seed');
  for (const name of names) {
    await mkdir(dirname(join(others, name)), { recursive: true });
    await writeFile(join(others, name), randomBytes(sizeOf(name) + 1));
  }
  await run('chown', ['-R', ssh.username, seed, dirname(others)]);
  await chmod(seed, 0o755);

  const { signUp, services } = await testApp(t);
  const user = await signUp();
  const add = async (
    family: 'sftp' | 'ftp' | 'webdav' | 's3' | 'ofs',
    linkName: string,
    info: Record<string, string>,
    provider?: string,
  ) => {
    const draft = draftOf(info, { linkName, ...(provider !== undefined && { provider }) });
    return (await user.ask(familyCalls[family].add, draft)).userLinkId;
  };
  const atFtp = { server: `${ftp.host}:${ftp.port}`, username: ftp.user, password: ftp.password, protocol: 'FTP' };
  const atAzure = { ...s3Info, host: azure.endpoint, bucketName: 'papers', key: azure.account, secret: azure.key };
  const links = {
    SFTP: await add('sftp', 'SFTP', { ...sftpInfo, server: `${ssh.host}:${ssh.port}`, username: ssh.username, password: ssh.password }),
    FTP: await add('ftp', 'FTP', { ...ftpInfo, ...atFtp }),
    WebDAV: await add('webdav', 'WebDAV', { ...davInfo, server: dav.url, username: dav.user, password: dav.password }),
    S3: await add('s3', 'S3', { ...s3Info, host: swift.endpoint, key: swift.key, secret: swift.secret }, 'S3Compat'),
    Azure: await add('s3', 'Azure', atAzure, 'AzureStorage'),
    Files: await add('ofs', 'Files', { server: files.url, username: files.user, password: files.password }),
  } as const;
  type Link = keyof typeof links;
  const all = Object.keys(links) as Link[];

  const conf = (await user.send(exportRclone, { password: user.password })).body;
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-pairs-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'rclone.conf'), conf);
  /** rclone finds an Azure emulator at one port only, so that what Azure has is judged by the copies from there. */
  const isReadable = (link: Link): boolean => link !== 'Azure';
  const remoteOf = (link: Link, path: string): string => (link === 'Files' ? join(files.root, path) : `${link}:${path}`);
  /** What rclone says of each file: `=` when both ends have the same bytes. */
  const differences = async (from: string, to: string): Promise<string[]> => {
    const options = ['--config', join(folder, 'rclone.conf'), '--retries', '1', '--low-level-retries', '1'];
    // With this setting rclone's S3 fails to start.
    const said = await run('env', ['-u', 'AWS_CA_BUNDLE', 'rclone', ...options, 'check', '--download', from, to, '--combined', '-']);
    const lines = said.split('\n').filter(Boolean);
    assert.equal(lines.length, names.length, said);
    return lines.filter((line) => !line.startsWith('= '));
  };

  interface Line {
    readonly proof: string;
    readonly computedHash: string | null;
  }
  const folderIn = (userLinkId: string, folderName: string) =>
    user.ask(addFolder, { parentLinkUri: linkUriOf(userLinkId, '/'), folderName, conflict: 'fail' });
  /** Copies to the end, and gives the report. */
  let checks: readonly string[] = [];
  const copied = async (linkUri: string, parentLinkUri: string): Promise<Line[]> => {
    const { transferId } = await user.ask(copyObjects, { linkUri: [linkUri], parentLinkUri, conflict: 'fail' });
    const state = await finished(user, transferId);
    const report = (await user.send(transferReport, { transferId, format: 'json' })).body;
    assert.equal(state, 'done', report);
    const plan = await user.ask(transferPlan, { transferId, offset: 0, limit: 1 });
    checks = plan.rcloneChecks ?? [];
    assert.equal(plan.proofs.none, 0);
    const lines = report.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Line);
  };
  /** Runs the commands that the transfer names, in a shell, as somebody would who has copied them. */
  const assertChecks = async (commands: readonly string[]): Promise<void> => {
    assert.ok(commands.length > 0);
    for (const command of commands) {
      const said = await run('env', ['-u', 'AWS_CA_BUNDLE', 'RCLONE_CONFIG=' + join(folder, 'rclone.conf'), 'sh', '-c', command]);
      const lines = said.split('\n').filter(Boolean);
      assert.equal(lines.length, names.length, said);
      assert.ok(
        lines.every((line) => line.startsWith('= ')),
        said,
      );
    }
  };
  const copy = async (from: Link, path: string, to: Link, into: string): Promise<void> => {
    const proofs = (await copied(linkUriOf(links[from], path), (await folderIn(links[to], into)).linkUri)).map(({ proof }) => proof);
    assert.ok(
      proofs.every((proof) => ['hash', 'read_back', 'server_side'].includes(proof)),
      `${from} to ${to}: ${proofs.join(' ')}`,
    );
  };
  /** Copies, and says whether any byte passed through Sheaf: it computes hashes of all that do. */
  const copiedByService = async (linkUri: string, parentLinkUri: string): Promise<void> => {
    for (const { proof, computedHash } of await copied(linkUri, parentLinkUri)) {
      assert.equal(computedHash, null);
      assert.ok(['hash', 'server_side'].includes(proof), proof);
    }
  };

  for (const to of all)
    await t.test(`from SFTP to ${to}`, async () => {
      await copy('SFTP', '/seed', to, 'from SFTP');
      if (isReadable(to)) assert.deepEqual(await differences(seed, remoteOf(to, 'from SFTP/seed')), []);
      if (!['Azure', 'Files'].includes(to)) await assertChecks(checks);
    });
  // Which database keeps the rows matters to none of the servers: on Postgres the copies from one of them are enough.
  for (const from of testEngine === 'sqlite' ? all.slice(1) : [])
    for (const to of all)
      await t.test(`from ${from} to ${to}`, async () => {
        await copy(from, '/from SFTP/seed', to, `from ${from}`);
        if (isReadable(to)) assert.deepEqual(await differences(seed, remoteOf(to, `from ${from}/seed`)), []);
      });

  for (const to of testEngine === 'sqlite' ? all.filter(isReadable) : [])
    await t.test(`files that a copy to ${to} replaced come back with undo`, async () => {
      const { linkUri } = await folderIn(links[to], 'replaced');
      await copied(linkUriOf(links.SFTP, '/seed'), linkUri);
      const there = remoteOf(to, 'replaced/seed');
      const { transferId } = await user.ask(copyObjects, {
        linkUri: [linkUriOf(links.SFTP, '/others/seed')],
        parentLinkUri: linkUri,
        conflict: 'replace',
      });
      assert.equal(await finished(user, transferId), 'done');
      assert.deepEqual(await differences(others, there), []);
      await user.ask(undoTransfer, { transferId });
      await eventually(async () => (await user.ask(oneTransfer, { transferId })).undoLeft === 0, 'everything is undone', 60_000);
      assert.deepEqual(await differences(seed, there), []);
      const view = { sort: 'name', order: 'asc', refresh: true, limit: 25 } as const;
      const { items } = await user.ask(remoteUpdate, { linkUri, ...view, fresh: true });
      assert.deepEqual(
        items.map(({ name }) => name),
        ['seed'],
        'no folder of versions is left',
      );
    });

  const strange = join(ssh.home, 'strange');
  await mkdir(strange);
  for (const name of hostileNames) await writeFile(join(strange, name), `bytes of ${name}`);
  await run('chown', ['-R', ssh.username, strange]);
  /** The folder of a server's own disk that its link shows. */
  const disks: Partial<Record<Link, string>> = { SFTP: ssh.home, FTP: ftp.home, WebDAV: dav.home, Files: files.root };
  for (const to of all)
    await t.test(`hostile names go to ${to} as they are, or as the plan says, or not at all`, async () => {
      const { linkUri: parentLinkUri } = await folderIn(links[to], 'hostile');
      const linkUri = [linkUriOf(links.SFTP, '/strange')];
      const { transferId } = await user.ask(planTransfer, { kind: 'copy', linkUri, parentLinkUri, conflict: 'fail' });
      assert.equal(await finished(user, transferId), 'planned');
      const { items } = await user.ask(transferPlan, { transferId, offset: 0, limit: 100 });
      const planned = items.filter(({ fileType }) => fileType === 'FILE');
      assert.deepEqual(planned.map(({ from }) => nameOf(from)).toSorted(), hostileNames.toSorted(), 'the plan tells of every name');
      for (const { action, reason, from, to: path } of planned) {
        const isSame = nameOf(from) === nameOf(path);
        assert.ok(action === 'create' ? isSame : reason !== undefined, `${action} ${String(reason)}: ${path}`);
      }
      await user.ask(startTransfer, { transferId });
      assert.equal(await finished(user, transferId), 'done', (await user.send(transferReport, { transferId, format: 'json' })).body);

      const { connector } = await services.connections.open(user.userId, links[to]);
      const signal = AbortSignal.timeout(60_000);
      const made = planned.filter(({ action }) => action === 'create' || action === 'rename').map((item) => [item.from, item.to] as const);
      const listed: string[] = [];
      for await (const batch of connector.list('/hostile/strange', { signal })) listed.push(...batch.map(({ name }) => name));
      assert.deepEqual(listed.toSorted(), made.map(([, path]) => nameOf(path)).toSorted());
      for (const [from, path] of made) {
        const bytes = `bytes of ${nameOf(from)}`;
        const chunks: Buffer[] = [];
        const body = await connector.read(`/hostile/strange/${nameOf(path)}`, { signal });
        await body.drain(async (chunk) => void chunks.push(Buffer.from(chunk)));
        assert.equal(Buffer.concat(chunks).toString(), bytes);
        const disk = disks[to];
        if (disk !== undefined) assert.equal(await readFile(join(disk, 'hostile', 'strange', nameOf(path)), 'utf8'), bytes);
      }
    });

  // A second link to the same service, elsewhere.
  await Promise.all([swift.createBucket('films'), azure.createContainer('books'), mkdir(join(dav.home, 'below'))]);
  await mkdir(join(ssh.home, 'below'));
  await run('chown', [ssh.username, join(ssh.home, 'below')]);
  await run('chown', [`--reference=${dav.home}`, join(dav.home, 'below')]);
  const seconds = {
    SFTP: await add('sftp', 'SFTP 2', {
      ...sftpInfo,
      server: `${ssh.host}:${ssh.port}`,
      username: ssh.username,
      password: ssh.password,
      path: join(ssh.home, 'below'),
    }),
    WebDAV: await add('webdav', 'WebDAV 2', { ...davInfo, server: `${dav.url}/below`, username: dav.user, password: dav.password }),
    S3: await add('s3', 'S3 2', { ...s3Info, host: swift.endpoint, key: swift.key, secret: swift.secret, bucketName: 'films' }, 'S3Compat'),
    Azure: await add('s3', 'Azure 2', { ...atAzure, bucketName: 'books' }, 'AzureStorage'),
  } as const;
  for (const [link, second] of Object.entries(seconds))
    await t.test(`between two links of ${link} the service itself copies, in both directions`, async () => {
      const first = links[link as keyof typeof seconds];
      const start = link === 'SFTP' ? '/seed' : '/from SFTP/seed';
      await copiedByService(linkUriOf(first, start), linkUriOf(second, '/'));
      await copiedByService(linkUriOf(second, '/seed'), (await folderIn(first, 'and back')).linkUri);
      if (link !== 'Azure') assert.deepEqual(await differences(seed, remoteOf(link as Link, 'and back/seed')), []);
    });
});
