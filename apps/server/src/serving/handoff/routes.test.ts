import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type HandoffAction,
  cancelHandoff,
  completeHandoff,
  getSession,
  handoffStatus,
  readPickerQuery,
  startHandoff,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

const begin = async (user: User, action: HandoffAction = 'sync') => {
  const { processToken, url } = await user.ask(startHandoff, { action, name: 'Laptop' });
  return { processToken, url };
};
const chosen = (linkUri: string, destinationPath = 'Server/Copies') => JSON.stringify({ destinationPath, linkUri });

test('the address of a process leads to the folder picker, and merging is asked about by preset only for a sync [PCK-01] [PCK-10] [PCK-15]', async (t) => {
  const { user, config } = await linkApp(t);
  for (const [action, evaluateMerge] of [
    ['backup', false],
    ['sync', true],
  ] as const) {
    const { processToken, url } = await begin(user, action);
    const address = new URL(url);
    assert.equal(address.origin + address.pathname, `${config.publicUrl}/getfolder`);
    assert.deepEqual(readPickerQuery(Object.fromEntries(address.searchParams)), { processToken, action, evaluateMerge });
  }
});

test('the picker reads process token, action and merge rule from its address, and refuses one that lacks or misnames them [PCK-11] [PCK-12]', () => {
  const good = { processToken: 'x', actionType: 'syncexternalfolder' };
  assert.deepEqual(readPickerQuery(good), { processToken: 'x', action: 'sync', evaluateMerge: true });
  assert.deepEqual(readPickerQuery({ ...good, evaluateMerge: 'false' })?.evaluateMerge, false);
  assert.deepEqual(readPickerQuery({ ...good, actionType: 'backup' })?.evaluateMerge, false);
  for (const bad of [{}, { actionType: 'backup' }, { processToken: 'x' }, { processToken: 'x', actionType: 'sync' }])
    assert.equal(readPickerQuery(bad), undefined);
});

test('a process is pending until the user chooses; then the program learns path and address [API-46] [PCK-24] [PCK-25]', async (t) => {
  const { user } = await linkApp(t);
  const { linkUri } = await addSftp(user, 'Server');
  const { processToken } = await begin(user);
  assert.deepEqual(await user.ask(handoffStatus, { processToken }), { state: 'pending', action: 'sync', name: 'Laptop' });
  const data = { destinationPath: 'Server/Copies', linkUri: `${linkUri}/Copies` };
  await user.ask(completeHandoff, { processToken, processData: JSON.stringify(data) });
  assert.deepEqual(await user.ask(handoffStatus, { processToken }), { state: 'completed', action: 'sync', name: 'Laptop', ...data });
});

test('a cancelled process reports that it was cancelled [API-47] [PCK-26]', async (t) => {
  const { user } = await linkApp(t);
  const { processToken } = await begin(user);
  await user.ask(cancelHandoff, { processToken });
  assert.equal((await user.ask(handoffStatus, { processToken })).state, 'canceled');
});

test('a process is answered once', async (t) => {
  const { user } = await linkApp(t);
  const { linkUri } = await addSftp(user, 'Server');
  const { processToken } = await begin(user);
  await user.ask(completeHandoff, { processToken, processData: chosen(linkUri) });
  assert.equal(
    (await user.refusal(completeHandoff, { processToken, processData: chosen(linkUri, 'Elsewhere') })).messageCode,
    'TOKEN_SPENT',
  );
  assert.equal((await user.refusal(cancelHandoff, { processToken })).messageCode, 'TOKEN_SPENT');
  assert.equal((await user.ask(handoffStatus, { processToken })).destinationPath, 'Server/Copies');
});

test('a process belongs to its user and ends after an hour', async (t) => {
  let time = 1_800_000_000;
  const { user, signUp } = await linkApp(t, { now: () => time });
  const eve = await signUp();
  const { processToken } = await begin(user);
  assert.equal((await eve.refusal(handoffStatus, { processToken })).messageCode, 'TOKEN_SPENT');
  assert.equal((await eve.refusal(cancelHandoff, { processToken })).messageCode, 'TOKEN_SPENT');
  time += 3600;
  assert.equal((await user.refusal(handoffStatus, { processToken })).messageCode, 'TOKEN_SPENT');
  assert.equal((await user.refusal(cancelHandoff, { processToken })).messageCode, 'TOKEN_SPENT');
});

test("a folder in nobody's or another's link, an item that is not a folder, and malformed JSON are refused, and the process continues", async (t) => {
  const { user, signUp } = await linkApp(t);
  const eve = await signUp();
  const { linkUri } = await addSftp(eve, 'Eves server');
  const { processToken } = await begin(user);
  const refusal = async (processData: string) => (await user.refusal(completeHandoff, { processToken, processData })).messageCode;
  assert.equal(await refusal(chosen(linkUri)), 'INVALID_LINK_URI');
  assert.equal(await refusal(chosen('/nothing/../x')), 'INVALID_LINK_URI');
  assert.equal(await refusal(chosen('')), 'MISSING_PARAMETER');
  assert.equal(await refusal('{"linkUri":"/x"}'), 'MISSING_PARAMETER');
  assert.equal(await refusal('{'), 'INVALID_PARAMETER');
  assert.equal(await refusal('[]'), 'MALFORMED_REQUEST');
  assert.equal((await user.ask(handoffStatus, { processToken })).state, 'pending');
});

test('a backup needs Premium or its trial (116), a sync does not [PCK-27]', async (t) => {
  const { user, services } = await linkApp(t);
  const { linkUri } = await addSftp(user, 'Server');
  const { processToken } = await begin(user, 'backup');
  assert.equal((await user.ask(getSession, {})).upgradeState, 'upgrade');
  assert.equal((await user.refusal(completeHandoff, { processToken, processData: chosen(linkUri) })).errorCode, 116);
  await user.ask(completeHandoff, { processToken: (await begin(user)).processToken, processData: chosen(linkUri) });
  await services.subscriptions.startTrial({ payerId: user.userId, actorId: user.userId, product: 'premium', units: 1 });
  await user.ask(completeHandoff, { processToken, processData: chosen(linkUri) });
});
