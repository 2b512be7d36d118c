import assert from 'node:assert/strict';
import { readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { startProftpd } from '@sheaf/testbed';
import { resumableUploadsOf } from '../../../core/operations.ts';
import { namedHash } from '../../../kit/hash/named-hash.ts';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseFtpConfig } from '../config.ts';
import { openFtp } from '../connector.ts';

const ask = () => ({ signal: AbortSignal.timeout(30_000) });

test('a server that supports hashes is asked for the hash of an upload in parts, and different bytes are damaged', async (t) => {
  const server = await startProftpd({ extra: ['LoadModule mod_digest.c', 'DigestEngine on'] });
  t.after(() => server.stop());
  const info = { server: `127.0.0.1:${server.port}`, protocol: 'FTP', username: server.user, password: server.password };
  const connector = openFtp(parseFtpConfig(info), { dialer: createDialer({ privateNetworks: 'allow' }) });
  t.after(() => connector.close());
  const uploads = resumableUploadsOf(connector) ?? assert.fail();
  const bytes = Buffer.from('the new one');
  const hash = namedHash('sha256');
  void hash.update(bytes);
  const hashes = { sha256: hash.digest() };
  for (const folder of ['', '/two words']) {
    if (folder !== '') await connector.createFolder?.(folder, ask());
    const inside = join(server.home, folder);
    const path = `${folder}/file`;
    await writeFile(join(inside, 'file'), 'the old one', { mode: 0o666 });
    const call = { ...ask(), size: bytes.length, ifExists: 'replace' as const, parts: [], hashes };
    const { session } = await uploads.beginUpload(path, call);
    const part = { ...ask(), session, offset: 0, size: bytes.length };
    await uploads.sendPart(path, Readable.from([bytes]), part);
    const [partial = ''] = (await readdir(inside)).filter((name) => name.startsWith('.sheaf-partial-'));
    await writeFile(join(inside, partial), 'the NEW one');
    await assert.rejects(uploads.finishUpload(path, { ...call, session }), { kind: 'damaged' }, path);
    assert.equal(await readFile(join(inside, 'file'), 'utf8'), 'the old one');
    await uploads.sendPart(path, Readable.from([bytes]), part);
    // ProFTPD caches the hash of a file until its size or time changes, in whole seconds.
    await utimes(join(inside, partial), 1_700_000_000, 1_700_000_000);
    assert.deepEqual((await uploads.finishUpload(path, { ...call, session })).entry.hashes, hashes);
    assert.equal(await readFile(join(inside, 'file'), 'utf8'), 'the new one');
  }
});
