import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { startFtpProxy, startProftpd, startVsftpd } from '@sheaf/testbed';
import { resumesInPlace } from '../../../conformance/parts/resuming.ts';
import { resumableUploadsOf } from '../../../core/operations.ts';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseFtpConfig } from '../config.ts';
import { openFtp } from '../connector.ts';
import { linked } from '../testing/linked.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(30_000) });
const configOf = (port: number, { user, password }: { readonly user: string; readonly password: string }) =>
  parseFtpConfig({ server: `127.0.0.1:${port}`, protocol: 'FTP', username: user, password });

for (const [make, start] of Object.entries({ ProFTPD: startProftpd, vsftpd: startVsftpd }))
  resumesInPlace(make, async () => {
    const server = await start();
    return {
      ...server,
      proxy: () => startFtpProxy(server),
      open: (port, leftovers) => openFtp(configOf(port, server), { dialer, leftovers }),
    };
  });

test('a server that cannot resume is probed once, and the probe leaves no file', async (t) => {
  const refused: string[] = [];
  const { connector, home, facts } = await linked(t, (line) => {
    const command = /^(?:REST|APPE)/.exec(line)?.[0];
    if (command !== undefined) refused.push(command);
    return command === undefined ? line : 'NONE\r\n';
  });
  const uploads = resumableUploadsOf(connector) ?? assert.fail();
  const call = { ...ask(), size: 10, ifExists: 'fail' as const };
  for (let round = 0; round < 2; round++) await assert.rejects(uploads.beginUpload('/file', call), { kind: 'unsupported' });
  assert.deepEqual(refused, ['REST', 'APPE']);
  assert.deepEqual([...facts], [['resumes', 'none']]);
  assert.deepEqual(await readdir(home), []);
});

for (const [what, instead] of [
  ['refuses REST', 'NONE'],
  ['takes REST and replaces the file', 'REST 0'],
])
  test(`a server that ${what} is continued with APPE, from its very last byte on`, async (t) => {
    const { connector, home, facts } = await linked(t, (line) => (line.startsWith('REST') ? `${instead}\r\n` : line));
    const uploads = resumableUploadsOf(connector) ?? assert.fail();
    const bytes = Buffer.from('0123456789');
    const call = { ...ask(), size: bytes.length, ifExists: 'fail' as const };
    const { session } = await uploads.beginUpload('/file', call);
    assert.equal(facts.get('resumes'), 'append');
    const send = (from: number, to: number) =>
      uploads.sendPart('/file', Readable.from([bytes.subarray(from, to)]), { ...ask(), session, offset: from, size: to - from });
    await send(0, 4);
    assert.deepEqual(await uploads.uploadState('/file', { ...ask(), session }), { offset: 4 });
    await assert.rejects(send(2, 10), { kind: 'badRange' });
    await send(4, 10);
    await uploads.finishUpload('/file', { ...call, session, parts: [], hashes: {} });
    assert.ok((await readFile(join(home, 'file'))).equals(bytes));
    assert.deepEqual(await readdir(home), ['file']);
  });

test('a server that starts to replace files after the probe fails the upload instead of losing bytes silently', async (t) => {
  let isChanged = false;
  const { connector, home, facts } = await linked(t, (line) => (isChanged && line.startsWith('REST') ? 'REST 0\r\n' : line));
  const uploads = resumableUploadsOf(connector) ?? assert.fail();
  const { session } = await uploads.beginUpload('/file', { ...ask(), size: 10, ifExists: 'fail' });
  const send = (offset: number) => uploads.sendPart('/file', Readable.from([Buffer.alloc(5)]), { ...ask(), session, offset, size: 5 });
  await send(0);
  isChanged = true;
  await assert.rejects(send(5), { kind: 'interrupted' });
  await assert.rejects(uploads.uploadState('/file', { ...ask(), session }), { kind: 'notFound' });
  assert.deepEqual(await readdir(home), []);
  await uploads.beginUpload('/file', { ...ask(), size: 10, ifExists: 'fail' });
  assert.equal(facts.get('resumes'), 'append');
});
