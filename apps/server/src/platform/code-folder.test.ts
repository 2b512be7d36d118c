import assert from 'node:assert/strict';
import { chmod, chown, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@sheaf/testbed';
import { ownFolder } from './code-folder.ts';

test('compiled code is kept in a folder that only the user can enter, and in none that another one has made', async (t) => {
  const { path: parent, remove } = await tempDir('code');
  t.after(remove);
  const folder = ownFolder(parent) ?? assert.fail('no folder');
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal(ownFolder(parent), folder, 'it is found again');

  await chmod(folder, 0o777);
  assert.equal(ownFolder(parent), undefined, 'open to others');
  await rm(folder, { recursive: true });
  const elsewhere = join(parent, 'elsewhere');
  await mkdir(elsewhere, { mode: 0o700 });
  await symlink(elsewhere, folder);
  assert.equal(ownFolder(parent), undefined, 'a link to another folder');
  await rm(folder);
  await writeFile(folder, '');
  assert.equal(ownFolder(parent), undefined, 'a file');
  await rm(folder);
  assert.equal(ownFolder(join(parent, 'elsewhere')), join(elsewhere, folder.slice(parent.length + 1)));
  if (process.getuid?.() !== 0) return;
  await mkdir(folder, { mode: 0o700 });
  await chown(folder, 12_345, 12_345);
  assert.equal(ownFolder(parent), undefined, 'of another user');
});
