import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type LinkProvider, sources } from '@sheaf/contract';
import { speakOther } from '#/lib/http/other-words.ts';
import { closedSentence, sourceSentence } from '#/lib/http/screen-text.ts';
import { choiceGroups, needingSettings, searched } from './catalogue.ts';

const groups = choiceGroups([], []);
const find = (provider: string, all = groups) => all.flatMap(({ choices }) => choices).find(({ source }) => source.provider === provider);

test('every type with a dialog can be chosen, once', () => {
  const chosen = groups.flatMap(({ choices }) => choices.map(({ source }) => source.provider));
  const linkable = sources.filter((source) => 'route' in source).map(({ provider }) => provider);
  assert.deepEqual(chosen.toSorted(), linkable.toSorted());
});

test('a service that cannot be linked says so and comes last in its group', () => {
  assert.equal(find('CloudDrive')?.obstacle, 'closed');
  assert.equal(find('Canopy')?.obstacle, 'closed');
  assert.equal(find('Dropbox')?.obstacle, undefined);
  assert.equal(find('SFTP')?.obstacle, undefined);
  const unset: LinkProvider = { provider: 'WebDAV', displayTitle: '', title: '', logoUrl: '', isSetUp: false, available: true };
  assert.equal(find('WebDAV', choiceGroups([unset], []))?.obstacle, 'notSetUp');
  const opened: LinkProvider = { ...unset, provider: 'CloudDrive', isSetUp: true };
  assert.equal(find('CloudDrive', choiceGroups([opened], []))?.obstacle, undefined, 'an operator may name a compatible server');
  for (const { choices } of groups) {
    const firstShut = choices.findIndex(({ obstacle }) => obstacle !== undefined);
    if (firstShut >= 0) assert.ok(choices.slice(firstShut).every(({ obstacle }) => obstacle !== undefined));
  }
});

test('the search takes words in any order, and leaves out empty groups', () => {
  const titles = searched(groups, 'storage azure').flatMap(({ choices }) => choices.map(({ source }) => source.title));
  assert.deepEqual(titles, ['Azure Storage']);
  assert.deepEqual(
    searched(groups, '  FILE server ').map(({ title }) => title),
    ['File protocols'],
  );
  assert.deepEqual(searched(groups, 'gopher'), []);
  assert.deepEqual(
    searched(groups, '', 'Photos').map(({ title }) => title),
    ['Photos'],
  );
});

test('a service that needs the operator is marked, except one that has shut down', () => {
  assert.ok(needingSettings(groups).includes('Dropbox'));
  assert.ok(!needingSettings(groups).includes('Amazon Cloud Drive'));
  assert.ok(!needingSettings(groups).includes('SFTP'));
});

test('cards and groups are worded in the language of the browser', (t) => {
  speakOther(t);
  const groups = choiceGroups([], []);
  for (const { sentence, choices } of groups) {
    assert.match(sentence, /^→/);
    for (const { source, caption } of choices) {
      assert.match(caption, /^(→|$)/, source.provider);
      assert.match(sourceSentence(source), /^→/, source.provider);
      assert.match(closedSentence(source) ?? '→', /^→/, source.provider);
    }
  }
});
