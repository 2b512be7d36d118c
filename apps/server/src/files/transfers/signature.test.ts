import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyObjects, linkUriOf, oneTransfer, reportKey, transferPlan, transferReport, transferSignature } from '@sheaf/contract';
import { eventually, run } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';
import { rcloneChecksOf } from './rclone-check.ts';
import type { TransferRow } from './rows/store.ts';

test('openssl and sha256sum confirm the signature of a report, and refuse it for a changed one', async (t) => {
  const { user, source, visitor } = await linkApp(t);
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  source.put('/from/a.txt', 'a');
  source.put('/from/b.txt', 'bb');
  source.put('/to/keep.txt', 'kept');
  const wish = { linkUri: [linkUriOf(one, '/from')], parentLinkUri: linkUriOf(other, '/to'), conflict: 'fail' as const };
  const { transferId } = await user.ask(copyObjects, wish);
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'done', 'the transfer is done');
  assert.deepEqual((await user.ask(transferPlan, { transferId, offset: 0, limit: 1 })).proofs, {
    hash: 2,
    read_back: 0,
    size: 0,
    server_side: 0,
    provider_rewrote: 0,
    none: 0,
  });

  const folder = await mkdtemp(join(tmpdir(), 'sheaf-signature-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const format of ['json', 'csv'] as const) {
    const report = (await user.send(transferReport, { transferId, format })).body;
    const { fileName, signed, signature, publicKey, sha256 } = await user.ask(transferSignature, { transferId, format });
    assert.ok(signed.startsWith(sha256));
    assert.equal((await visitor().ask(reportKey, {})).publicKey, publicKey, 'everybody can have the key');
    const path = (name: string): string => join(folder, name);
    await writeFile(path(fileName), report);
    await writeFile(path('signed'), signed);
    await writeFile(path('key.pem'), publicKey);
    await writeFile(path('signature'), Buffer.from(signature, 'base64'));
    await run('sh', ['-c', 'cd "$1" && sha256sum -c signed', 'sh', folder]);
    const verify = ['pkeyutl', '-verify', '-pubin', '-inkey', path('key.pem'), '-rawin', '-sigfile', path('signature')];
    assert.match(await run('openssl', [...verify, '-in', path('signed')]), /Verified Successfully/);
    await writeFile(
      path('changed'),
      signed.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    );
    await assert.rejects(run('openssl', [...verify, '-in', path('changed')]));
    await writeFile(path(fileName), report.replace('a.txt', 'b.txt'));
    await assert.rejects(run('sh', ['-c', 'cd "$1" && sha256sum -c signed', 'sh', folder]));
  }
});

test('the report of a running transfer is not signed, and nobody signs another account’s', async (t) => {
  const { user, source, signUp } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'One');
  source.put('/from/a.txt', 'a');
  source.put('/to/a.txt', 'other');
  const wish = { linkUri: [linkUriOf(userLinkId, '/from/a.txt')], parentLinkUri: linkUriOf(userLinkId, '/to'), conflict: 'fail' as const };
  const { transferId } = await user.ask(copyObjects, wish);
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'planned', 'it waits for a decision');
  assert.equal((await user.refusal(transferSignature, { transferId })).messageCode, 'TRANSFER_STATE');
  assert.equal((await (await signUp()).refusal(transferSignature, { transferId })).messageCode, 'TRANSFER_GONE');
});

test('the commands for rclone quote names, leave out what it cannot find, and end with the source', () => {
  const place = (path: string, isFolder: boolean, newName?: string) => ({
    linkUri: '/x',
    path,
    isFolder,
    ...(newName !== undefined && { newName }),
  });
  const checksOf = (kind: TransferRow['kind'], to: string, ...from: readonly ReturnType<typeof place>[]) =>
    rcloneChecksOf({ kind, sources: JSON.stringify(from), target: JSON.stringify(place(to, true)) } as TransferRow);
  assert.deepEqual(
    checksOf('copy', 'Other/in', place("My NAS/Bob's files", true), place('My NAS/[a]*.txt', false), place('My NAS/b', false, 'c')),
    [
      "rclone check --download --one-way 'My NAS:Bob'\\''s files' 'Other:in/Bob'\\''s files' --combined -",
      "rclone check --download --one-way 'My NAS:' 'Other:in' --include '/\\[a\\]\\*.txt' --combined -",
    ],
  );
  assert.deepEqual(checksOf('copy', 'Other', place('One/a', true, 'z')), [
    "rclone check --download --one-way 'One:a' 'Other:z' --combined -",
  ]);
  assert.equal(checksOf('move', 'Other', place('One/a', true)), undefined);
});
