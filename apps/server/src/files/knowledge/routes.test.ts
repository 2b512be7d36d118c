import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyCalls, folderUsage, getLinkKnowledge, keepSearchable, linkUriOf, listOrgLinks, remoteUpdate, search } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { addSftp, draftOf, linkApp, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const settings = { SHEAF_CRAWL: 'on' };
const open = (user: User, linkUri: string) =>
  user.ask(remoteUpdate, { linkUri, sort: 'name', order: 'asc', early: false, fresh: true, refresh: true, limit: 50 });
const found = async (user: User, query: string): Promise<string[]> =>
  (await user.ask(search, { query, offset: 0, limit: 50 })).items.map(({ name }) => name);

test('a link is kept searchable until its owner switches that off, which ends running work at once and can forget what nobody opened', async (t) => {
  const { user, source, services, signUp } = await linkApp(t, { settings });
  for (const path of ['/a/deep.txt', '/slow/late.txt']) source.put(path, 'x');
  const { userLinkId } = await addSftp(user, 'NAS');
  const held = Promise.withResolvers<void>();
  let isAsked = false;
  source.setGate(async (operation, path) => {
    if (operation !== 'list' || path !== '/slow') return;
    isAsked = true;
    await held.promise;
  });
  t.after(() => held.resolve());
  const before = await user.ask(getLinkKnowledge, { userLinkId });
  assert.deepEqual(before, {
    isKept: true,
    mayChange: true,
    isAllowed: true,
    state: 'reading',
    foldersKnown: 0,
    foldersTotal: 1,
    foldersUnopened: 0,
  });
  await user.ask(keepSearchable, { userLinkId, isKept: true, forget: false });
  await eventually(() => isAsked, 'the crawler reads the last folder');
  assert.deepEqual([await found(user, 'deep'), (await user.ask(folderUsage, {})).foldersKnown], [['deep.txt'], 2]);

  const off = await user.ask(keepSearchable, { userLinkId, isKept: false, forget: false });
  assert.deepEqual([off.isKept, off.state, off.foldersUnopened], [false, 'off', 2]);
  held.resolve();
  await services.listings.idle();
  assert.deepEqual(await found(user, 'late'), [], 'the listing was given up');
  await open(user, linkUriOf(userLinkId, '/'));
  const unopened = async () => (await user.ask(getLinkKnowledge, { userLinkId })).foldersUnopened;
  await eventually(async () => (await unopened()) === 1, 'it is noted that the user has opened the folder');
  const forgotten = await user.ask(keepSearchable, { userLinkId, isKept: false, forget: true });
  assert.deepEqual([forgotten.foldersKnown, forgotten.foldersUnopened], [1, 0], 'what the user opened stays known');
  assert.deepEqual([await found(user, 'deep'), await found(user, 'slow')], [[], ['slow']]);

  const stranger = await signUp();
  assert.equal((await stranger.refusal(getLinkKnowledge, { userLinkId })).messageCode, 'INVALID_LINK_URI');
  assert.equal((await stranger.refusal(keepSearchable, { userLinkId, isKept: true })).messageCode, 'INVALID_LINK_URI');
});

test('two instances that both have the work do it once, and what one of them switches off ends at the other', async (t) => {
  const { user, source, services, secondInstance } = await linkApp(t, { settings });
  source.put('/a/deep.txt', 'x');
  const { userLinkId } = await addSftp(user, 'NAS');
  const second = await secondInstance({ findDefinition: async () => source.definition });
  const lists: string[] = [];
  const held = Promise.withResolvers<void>();
  source.setGate(async (operation, path) => {
    if (operation !== 'list') return;
    lists.push(path);
    if (path === '/a') await held.promise;
  });
  t.after(() => held.resolve());
  const wish = { userLinkId, isKept: true, forget: false };
  await Promise.all([services, second].map(({ keeping }) => keeping.keep(user.userId, wish)));
  await eventually(() => lists.includes('/a'), 'one of them reads the last folder');
  await Promise.all([services, second].map(({ keeping }) => keeping.keep(user.userId, { ...wish, isKept: false })));
  await eventually(async () => [services, second].every((one) => !one.keeping.isAtWork(userLinkId)), 'the work has ended');
  held.resolve();
  await Promise.all([services, second].map(({ listings }) => listings.idle()));
  assert.deepEqual([lists, await found(user, 'deep')], [['/', '/a'], []]);
});

test('the operator can switch it off for all links, and an organisation’s links wait until somebody switches them on', async (t) => {
  const { user, owner, org, join: joinOrg, services } = await orgApp(t, { settings });
  const { orgOid } = org;
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'NAS' }));
  const member = await joinOrg();
  assert.equal((await member.ask(listOrgLinks, { orgOid })).activeSources.length, 1);
  const { state, mayChange } = await member.ask(getLinkKnowledge, { userLinkId });
  assert.deepEqual([state, mayChange], ['off', true]);
  assert.equal((await member.ask(keepSearchable, { userLinkId, isKept: true, forget: false })).isKept, true);
  assert.equal((await user.ask(getLinkKnowledge, { userLinkId })).isKept, true);
  await services.jobs.stop();

  const quiet = await linkApp(t);
  const { userLinkId: other } = await addSftp(quiet.user, 'NAS');
  const off = await quiet.user.ask(getLinkKnowledge, { userLinkId: other });
  assert.deepEqual([off.isKept, off.isAllowed, off.state], [false, false, 'off']);
  assert.equal((await quiet.user.refusal(keepSearchable, { userLinkId: other, isKept: true })).errorCode, 825);
});

test('members of a Space see what is known of it; its owner decides about the storage', async (t) => {
  const app = await spaceApp(t, { settings });
  const noor = await app.signUp();
  const { userLinkId } = await join(app, app.space, noor, 'editor');
  const seen = await noor.ask(getLinkKnowledge, { userLinkId });
  assert.deepEqual([seen.isKept, seen.mayChange, seen.foldersUnopened], [true, false, 0]);
  assert.equal((await noor.refusal(keepSearchable, { userLinkId, isKept: false })).messageCode, 'ROLE_FORBIDS');
  await app.user.ask(keepSearchable, { userLinkId: app.storageId, isKept: false, forget: false });
  assert.equal((await noor.ask(getLinkKnowledge, { userLinkId })).isKept, false);
});
