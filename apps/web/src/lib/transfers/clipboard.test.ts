import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClipboard } from './clipboard.ts';
import { createRecentTargets } from './recent-targets.ts';

/** A browser's storage, shared by its tabs. */
function browserStorage() {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key: string): string | null => entries.get(key) ?? null,
    setItem: (key: string, value: string): void => void entries.set(key, value),
    removeItem: (key: string): void => void entries.delete(key),
  };
}

test('another tab of the same account sees what was copied, and another account does not', () => {
  const storage = browserStorage();
  const [one, other] = [createClipboard(storage), createClipboard(storage)];
  let told = 0;
  other.subscribe(() => (told += 1));
  one.put('mara@halm.example', { kind: 'move', linkUris: ['/l/a', '/l/b'] });
  other.changed('sheaf-clipboard');
  other.changed('something-else');
  assert.equal(told, 1);
  assert.deepEqual(other.of('mara@halm.example'), { kind: 'move', linkUris: ['/l/a', '/l/b'] });
  assert.equal(other.of('eve@halm.example'), undefined);
  assert.equal(other.of('mara@halm.example'), other.of('mara@halm.example'), 'the same object, or React would render for ever');
  one.clear();
  assert.equal(other.of('mara@halm.example'), undefined);
});

test('nothing stored names the account, and invalid clipboard content is ignored', () => {
  const storage = browserStorage();
  const clipboard = createClipboard(storage);
  clipboard.put('mara@halm.example', { kind: 'copy', linkUris: ['/l/a'] });
  assert.doesNotMatch([...storage.entries.values()].join(''), /mara/);
  for (const text of ['', 'x', 'null', '[]', '{"kind":"copy"}', '{"owner":"o","kind":"delete","linkUris":["/l/a"]}']) {
    storage.setItem('sheaf-clipboard', text);
    assert.equal(clipboard.of('mara@halm.example'), undefined, text);
  }
});

test('the last five targets of an account are kept, the latest first, each once', () => {
  const storage = browserStorage();
  const targets = createRecentTargets(storage);
  for (const linkUri of ['/a', '/b', '/c', '/a', '/d', '/e', '/f']) targets.add('mara', linkUri);
  assert.deepEqual(targets.of('mara'), ['/f', '/e', '/d', '/a', '/c']);
  assert.deepEqual(targets.of('eve'), []);
  targets.add('eve', '/x');
  assert.deepEqual([targets.of('eve'), targets.of('mara')], [['/x'], []], 'only the last account of a browser is kept');
  storage.setItem('sheaf-targets', '{');
  assert.deepEqual(targets.of('eve'), []);
});
