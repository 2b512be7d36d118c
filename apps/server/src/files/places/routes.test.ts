import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteLink, linkUriOf, listPlaces, mostPins, mostRecents, notePlace, orderPlaces, pinPlace, unpinPlace } from '@sheaf/contract';
import { addSftp, linkApp } from '#/testing/links.ts';

test('pins keep the order that the user gives them, and belong to that user alone', async (t) => {
  const { user, signUp } = await linkApp(t);
  const eve = await signUp();
  const [{ userLinkId: server }, { userLinkId: other }] = [await addSftp(user, 'Server'), await addSftp(user, 'Other')];
  const pins = async (of = user) => (await of.ask(listPlaces, {})).pins.map(({ name }) => name);
  const uris = ['/', '/2025/Gotland', '/notes.md'].map((path) => linkUriOf(server, path));
  for (const [at, linkUri] of uris.entries()) await user.ask(pinPlace, { linkUri, isFolder: at < 2 });
  await user.ask(pinPlace, { linkUri: uris[0] ?? '', isFolder: true });
  assert.deepEqual(await pins(), ['Server', 'Gotland', 'notes.md']);
  const [, gotland, notes] = (await user.ask(listPlaces, {})).pins;
  assert.deepEqual([gotland?.folder, gotland?.isFolder, notes?.isFolder], [['Server', '2025'], true, false]);

  await user.ask(orderPlaces, { pins: uris.toReversed() });
  assert.deepEqual(await pins(), ['notes.md', 'Gotland', 'Server']);
  await user.ask(pinPlace, { linkUri: linkUriOf(other, '/new'), isFolder: true });
  assert.deepEqual(await pins(), ['notes.md', 'Gotland', 'Server', 'new']);
  await user.ask(unpinPlace, { linkUri: uris[1] ?? '' });
  assert.deepEqual(await pins(), ['notes.md', 'Server', 'new']);

  assert.equal((await eve.refusal(pinPlace, { linkUri: uris[1] ?? '', isFolder: true })).messageCode, 'INVALID_LINK_URI');
  assert.equal((await eve.refusal(notePlace, { linkUri: uris[1] ?? '', isFolder: true })).messageCode, 'INVALID_LINK_URI');
  await eve.ask(unpinPlace, { linkUri: uris[0] ?? '' });
  await eve.ask(orderPlaces, { pins: uris, links: [server] });
  assert.deepEqual(await eve.ask(listPlaces, {}), { pins: [], recents: [], linkOrder: [] });
  assert.deepEqual(await pins(), ['notes.md', 'Server', 'new']);

  await user.ask(orderPlaces, { links: [other, 'unknown', server, other] });
  assert.deepEqual((await user.ask(listPlaces, {})).linkOrder, [other, server]);
  await user.ask(deleteLink, { userLinkId: server });
  const left = await user.ask(listPlaces, {});
  assert.deepEqual([left.pins.map(({ name }) => name), left.linkOrder], [['new'], [other]]);
});

test('the last used come first, and both lists are bounded', async (t) => {
  const { user } = await linkApp(t, { now: () => 1_800_000_000 });
  const { userLinkId } = await addSftp(user, 'Server');
  const uri = (number: number) => linkUriOf(userLinkId, `/folder ${number}`);
  for (let number = 0; number < mostRecents + 3; number++) {
    await user.ask(notePlace, { linkUri: uri(number), isFolder: true });
  }
  await user.ask(notePlace, { linkUri: uri(10), isFolder: true });
  const { recents } = await user.ask(listPlaces, {});
  assert.equal(recents.length, mostRecents);
  assert.deepEqual([recents[0]?.linkUri, recents[1]?.linkUri, recents.at(-1)?.linkUri], [uri(10), uri(mostRecents + 2), uri(3)]);

  for (let number = 0; number < mostPins; number++) await user.ask(pinPlace, { linkUri: uri(number), isFolder: true });
  assert.equal((await user.refusal(pinPlace, { linkUri: uri(mostPins), isFolder: true })).messageCode, 'TOO_MANY_PINS');
});
