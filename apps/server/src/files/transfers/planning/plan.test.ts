import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ConnectorError, type StorageLimits } from '@sheaf/connectors';
import {
  type PlanItem,
  type Transfer,
  type TransferConflictRule,
  changeTransferPlan,
  copyObjects,
  linkUriOf,
  oneTransfer,
  planTransfer,
  remoteUpdate,
  resumeTransfer,
  startTransfer,
  transferPlan,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';

const page = { offset: 0, limit: 1000 };

/** A link without limits, and one with these, to one tree in memory. */
async function setting(t: TestContext, limits: StorageLimits) {
  const { user, source, ...app } = await linkApp(t, { limits: ({ server }) => (server === 'strict.example' ? limits : {}) });
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Strict', { server: 'strict.example' });
  source.put('/to/keep.txt', 'kept');
  const wish = (path: string, conflict: TransferConflictRule, into: string) => ({
    linkUri: [linkUriOf(one, path)],
    parentLinkUri: linkUriOf(other, into),
    conflict,
  });
  async function settled(transferId: string): Promise<Transfer & { readonly items: readonly PlanItem[] }> {
    let transfer: Transfer | undefined;
    await eventually(async () => {
      transfer = await user.ask(oneTransfer, { transferId });
      return ['planned', 'waiting', 'done', 'failed'].includes(transfer.state);
    }, 'the transfer is planned or over');
    assert.ok(transfer);
    return { ...transfer, items: (await user.ask(transferPlan, { transferId, ...page })).items };
  }
  return {
    ...app,
    user,
    source,
    uri: (path: string) => linkUriOf(one, path),
    settled,
    plan: async (path: string, conflict: TransferConflictRule = 'fail', into = '/to') =>
      settled((await user.ask(planTransfer, { kind: 'copy', ...wish(path, conflict, into) })).transferId),
    copy: async (path: string, conflict: TransferConflictRule = 'fail', into = '/to') =>
      settled((await user.ask(copyObjects, wish(path, conflict, into))).transferId),
  };
}

/** What the plan says of each item, by its path at the source. */
const said = ({ items }: { readonly items: readonly PlanItem[] }) =>
  Object.fromEntries(items.map(({ from, action, reason = '', to }) => [from, `${action} ${reason} ${to}`.replace('  ', ' ')]));

const strict: StorageLimits = {
  names: {
    forbidden: /[":*]/gu,
    badEnd: /[ .]$/u,
    reserved: /^con$/i,
    length: { most: 20, unit: 'utf16' },
    pathLength: { most: 60, unit: 'utf16' },
    ignoresCase: true,
    ignoresForm: true,
  },
};

test('the plan shows the names that the destination forces, and a second copy finds the same ones', async (t) => {
  const { source, copy, plan } = await setting(t, strict);
  source.put('/from/a:b.txt', '1');
  source.put('/from/ends./con', '2');
  source.put('/from/a very long name of a file.jpeg', '3');
  source.put('/from/plain', '4');
  const done = await copy('/from');
  assert.equal(done.state, 'done', JSON.stringify(done));
  const shown = said(done);
  const long = shown['/from/a very long name of a file.jpeg'] ?? '';
  assert.match(long, /^rename name_length \/to\/from\/a very~[0-9a-f]{8}\.jpeg$/);
  assert.deepEqual(shown, {
    '/from': 'create /to/from',
    '/from/a:b.txt': 'rename name_characters /to/from/a：b.txt',
    '/from/ends.': 'rename name_characters /to/from/ends．',
    '/from/ends./con': 'rename name_reserved /to/from/ends．/_con',
    '/from/a very long name of a file.jpeg': long,
    '/from/plain': 'create /to/from/plain',
  });
  const again = said(await plan('/from', 'skip'));
  assert.deepEqual(again, {
    '/from': 'merge /to/from',
    '/from/a:b.txt': 'skip name_taken /to/from/a：b.txt',
    '/from/ends.': 'merge /to/from/ends．',
    '/from/ends./con': 'skip name_taken /to/from/ends．/_con',
    '/from/a very long name of a file.jpeg': long.replace('rename name_length', 'skip name_taken'),
    '/from/plain': 'skip name_taken /to/from/plain',
  });
  assert.equal(said(await plan('/from', 'rename'))['/from/a:b.txt'], 'rename name_taken /to/from/a：b 2.txt');
});

test('items of one name get different names at the destination, whatever the order in which they are listed', async (t) => {
  const { source, copy, plan } = await setting(t, strict);
  const names = ['README', 'readme', 'Caf\u00e9', 'Cafe\u0301', 'x:y', 'x：y', 'Folder/in', 'FOLDER/in'];
  for (const name of names) source.put(`/first/same/${name}`, name);
  for (const name of names.toReversed()) source.put(`/second/same/${name}`, name);
  const done = await copy('/first/same');
  assert.equal(done.state, 'done', JSON.stringify(done));
  const shown = said(done);
  assert.equal(shown['/first/same/README'], 'create /to/same/README');
  assert.match(shown['/first/same/readme'] ?? '', /^rename case_twin \/to\/same\/readme~[0-9a-f]{8}$/);
  assert.equal(shown['/first/same/x：y'], 'create /to/same/x：y');
  assert.match(shown['/first/same/x:y'] ?? '', /^rename case_twin \/to\/same\/x：y~[0-9a-f]{8}$/);
  assert.match(shown['/first/same/Folder/in'] ?? '', /^create \/to\/same\/Folder~[0-9a-f]{8}\/in$/);
  const targets = done.items.map(({ to }) => to.toLowerCase().normalize('NFC'));
  assert.equal(new Set(targets).size, targets.length, targets.join('\n'));
  const pathsOf = (items: readonly PlanItem[]) => Object.fromEntries(items.map(({ from, to }) => [from.replace('/second', '/first'), to]));
  const again = await plan('/second/same', 'skip');
  assert.deepEqual(pathsOf(again.items), pathsOf(done.items));
  assert.deepEqual(new Set(again.items.map(({ action }) => action)), new Set(['merge', 'skip']));
});

test('a name that is taken in another case is a conflict, and replacing keeps the existing spelling', async (t) => {
  const { source, plan } = await setting(t, strict);
  source.put('/from/A.TXT', 'new');
  source.put('/to/from/a.txt', 'old');
  assert.equal(said(await plan('/from'))['/from/A.TXT'], 'problem case_twin /to/from/a.txt');
  assert.equal(said(await plan('/from', 'replace'))['/from/A.TXT'], 'replace case_twin /to/from/a.txt');
  assert.equal(said(await plan('/from', 'rename'))['/from/A.TXT'], 'rename name_taken /to/from/A 2.TXT');
});

test('files with forced names can be excluded, folders with everything in them, and included again', async (t) => {
  const { user, source, plan, settled } = await setting(t, strict);
  source.put('/from/a:b', '1');
  source.put('/from/c:d/e/f', '2');
  source.put('/from/g', '3');
  const { transferId, items } = await plan('/from');
  const itemId = items.filter(({ from }) => ['/from/a:b', '/from/c:d'].includes(from)).map((item) => item.itemId);
  await user.ask(changeTransferPlan, { transferId, conflict: 'skip', itemId });
  assert.deepEqual(said(await settled(transferId)), {
    '/from': 'create /to/from',
    '/from/a:b': 'skip name_characters /to/from/a：b',
    '/from/c:d': 'skip name_characters /to/from/c：d',
    '/from/g': 'create /to/from/g',
  });
  await user.ask(changeTransferPlan, { transferId, conflict: 'rename', itemId: itemId.slice(1) });
  const changed = await settled(transferId);
  assert.equal(said(changed)['/from/c:d/e/f'], 'create /to/from/c：d/e/f');
  await user.ask(changeTransferPlan, { transferId, conflict: 'skip', reason: 'name_characters' });
  assert.deepEqual(said(await settled(transferId)), {
    '/from': 'create /to/from',
    '/from/a:b': 'skip name_characters /to/from/a：b',
    '/from/c:d': 'skip name_characters /to/from/c：d',
    '/from/g': 'create /to/from/g',
  });
  await user.ask(changeTransferPlan, { transferId, conflict: 'rename', itemId: itemId.slice(1) });
  await settled(transferId);
  await user.ask(startTransfer, { transferId });
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'done', 'the copy is done');
  assert.equal((await user.ask(oneTransfer, { transferId })).itemsDone, 5);
});

test('an item that is too large, too deep or too much for the destination is a problem before a byte moves', async (t) => {
  const { source, plan } = await setting(t, { ...strict, fileBytes: 3, folderItems: 3 });
  const deep = `/from/${'d'.repeat(18)}/${'e'.repeat(18)}/${'f'.repeat(18)}`;
  source.put('/from/large', '1234');
  source.put('/from/small', '123');
  source.put(`${deep}/g`, '1');
  source.put('/from/one', '1');
  const planned = await plan('/from');
  const shown = said(planned);
  assert.equal(shown['/from/large'], 'problem too_large /to/from/large');
  assert.equal(shown['/from/small'], 'create /to/from/small');
  assert.match(shown[deep] ?? '', /^rename path_length /);
  assert.match(shown[`${deep}/g`] ?? '', /^problem path_length /);
  assert.deepEqual([planned.state, planned.problems], ['planned', 2]);
  source.put('/from/two', '1');
  assert.equal(said(await plan('/from'))['/from/two'], 'problem folder_full /to/from/two');
});

test('a plan uses fresh stored listings, and the run adds what the source has received since', async (t) => {
  const { user, services, source, copy, uri } = await setting(t, {});
  source.put('/from/a', '1');
  source.put('/from/deep/b', '2');
  const view = { sort: 'name', order: 'asc', filter: '', offset: 0, limit: 25, refresh: true, fresh: true, early: false } as const;
  for (const path of ['/from', '/from/deep']) await user.ask(remoteUpdate, { linkUri: uri(path), ...view });
  await services.listings.idle();
  source.put('/from/deep/c', '3');
  source.put('/from/new/d', '4');
  const listed: string[] = [];
  let hasWritten = false;
  source.setGate((operation, path) => {
    if (operation === 'write') hasWritten = true;
    if (operation === 'list' && !hasWritten) listed.push(path);
  });
  const done = await copy('/from');
  assert.deepEqual([done.state, done.itemsDone, done.itemsTotal, done.bytesDone], ['done', 7, 7, 4], JSON.stringify(done));
  assert.deepEqual(listed, ['/to']);
  assert.deepEqual(
    Object.keys(said(done)).toSorted(),
    ['/from', '/from/a', '/from/deep', '/from/deep/b', '/from/deep/c', '/from/new', '/from/new/d'].toSorted(),
  );
});

test('a source that is unreachable when its folders are compared delays the transfer, and nothing is copied twice', async (t) => {
  const { user, services, source, settled, copy, uri } = await setting(t, {});
  source.put('/from/a', '1');
  const view = { sort: 'name', order: 'asc', filter: '', offset: 0, limit: 25, refresh: true, fresh: true, early: false } as const;
  await user.ask(remoteUpdate, { linkUri: uri('/from'), ...view });
  await services.listings.idle();
  source.put('/from/new/d', '2');
  let isReachable = false;
  source.setGate((operation, path) => {
    if (operation === 'list' && path.startsWith('/from') && !isReachable) throw new ConnectorError('unreachable', 'as the test wants it');
  });
  const waiting = await copy('/from');
  assert.deepEqual(
    [waiting.state, waiting.error?.messageCode, waiting.itemsDone],
    ['waiting', 'CANNOT_CONNECT', 2],
    JSON.stringify(waiting),
  );
  isReachable = true;
  await user.ask(resumeTransfer, { transferId: waiting.transferId });
  await eventually(async () => (await user.ask(oneTransfer, { transferId: waiting.transferId })).state === 'done', 'the copy is done');
  const done = await settled(waiting.transferId);
  assert.deepEqual([done.itemsDone, done.itemsTotal, done.bytesDone], [4, 4, 2]);
});

test('a plan that nobody starts is deleted after a week, slice by slice, and one that is looked at later is not', async (t) => {
  const { plan, source, services, user } = await setting(t, {});
  for (let at = 0; at < 1200; at++) source.put(`/from/${at}`, 'x');
  const [old, recent] = [await plan('/from'), await plan('/to', 'fail', '/')];
  const eightDaysAgo = Date.now() - 8 * 86_400_000;
  await services.db.updateTable('transfer').set({ changedAt: eightDaysAgo }).where('id', '=', old.transferId).execute();
  await services.sweeps.transfers();
  assert.equal((await user.refusal(startTransfer, { transferId: old.transferId })).messageCode, 'TRANSFER_GONE');
  assert.equal((await user.ask(oneTransfer, { transferId: recent.transferId })).state, 'planned');
  const items = await services.db.selectFrom('transferItem').select('transferId').distinct().execute();
  assert.deepEqual(
    items.map(({ transferId }) => transferId),
    [recent.transferId],
  );
});
