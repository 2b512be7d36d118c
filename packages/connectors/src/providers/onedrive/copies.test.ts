import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connector } from '../../core/connector.ts';
import { serviceCopiesOf } from '../../core/operations.ts';
import { ask, openAt, opening } from './testing/opening.ts';

const copiesOf = (connector: Connector) => serviceCopiesOf(connector) ?? assert.fail('no copies by the service');
const monitor = 'GET /monitor/{job}';

async function linksOf(t: Parameters<typeof opening>[0]) {
  const business = await opening(t, 'OneDriveForBusiness');
  const sites = await openAt(business.microsoft, 'Sharepoint');
  t.after(() => sites.close());
  return { ...business, sites, from: copiesOf(business.connector), to: copiesOf(sites) };
}

test("the service copies from a OneDrive into a site's library of the same organisation, and waits for it", async (t) => {
  const { microsoft, from, to, sites } = await linksOf(t);
  microsoft.world.manners.copyTakes = 300;
  const bytes = microsoft.faults.next(/\/content\b|\/host\/download/, 10, { kind: 'slow', ms: 0 });
  const file = await from.serviceFile('/Documents/Welcome.txt', ask());
  const entry = await to.copyFrom(file, '/Engineering/Drawings/Welcome.txt', ask());
  assert.deepEqual([entry.name, entry.size, entry.hashes], ['Welcome.txt', file.entry.size, file.entry.hashes]);
  assert.equal(bytes.struck, 0);
  assert.equal((await sites.stat('/Engineering/Drawings/Welcome.txt', ask())).size, file.entry.size);
});

test('a file behind a shortcut is copied from the drive that contains it', async (t) => {
  const { from, to } = await linksOf(t);
  const file = await from.serviceFile('/Handbook of Otto/Rules.txt', ask());
  assert.equal((await to.copyFrom(file, '/Engineering/Drawings/Rules.txt', ask())).size, file.entry.size);
});

test('a taken name is refused, also when the service detects it during the copy', async (t) => {
  const { from, to } = await linksOf(t);
  const file = await from.serviceFile('/Documents/Welcome.txt', ask());
  await assert.rejects(to.copyFrom(file, '/Engineering/Drawings/Bridge.txt', ask()), { kind: 'alreadyExists' });
});

test('a drive that the account may not read, and a copy that fails, are unsupported', async (t) => {
  const { microsoft, from, to, drive } = await linksOf(t);
  const file = await from.serviceFile('/Documents/Welcome.txt', ask());
  const location = JSON.stringify({ driveId: microsoft.driveOf(microsoft.people.mara).id, id: drive.root.id });
  await assert.rejects(to.copyFrom({ ...file, location }, '/Engineering/Drawings/a.txt', ask()), { kind: 'unsupported' });
  for (const code of ['accessDenied', 'notSupported', 'someNewCode']) {
    microsoft.faults.next(monitor, 1, { kind: 'reply', reply: { json: { status: 'failed', error: { code } } } });
    await assert.rejects(to.copyFrom(file, `/Engineering/Drawings/${code}.txt`, ask()), { kind: 'unsupported' });
  }
  microsoft.faults.next(monitor, 1, { kind: 'reply', reply: { json: { status: 'failed', error: { code: 'quotaLimitReached' } } } });
  await assert.rejects(to.copyFrom(file, '/Engineering/Drawings/full.txt', ask()), { kind: 'full' });
});

test('a copy whose state cannot be requested is running and not refused', async (t) => {
  const { microsoft, from, to } = await linksOf(t);
  const file = await from.serviceFile('/Documents/Welcome.txt', ask());
  microsoft.faults.next(monitor, 1, { kind: 'reply', reply: { status: 404, json: { error: { code: 'itemNotFound', message: '' } } } });
  await assert.rejects(to.copyFrom(file, '/Engineering/Drawings/b.txt', ask()), { kind: 'notFound' });
});

test('personal accounts and those of organisations have no service in common', async (t) => {
  const { microsoft, from, to } = await linksOf(t);
  const personal = await openAt(microsoft, 'OneDrive');
  assert.equal(from.service, to.service);
  assert.notEqual(copiesOf(personal).service, to.service);
  await personal.close();
});
