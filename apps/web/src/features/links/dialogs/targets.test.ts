import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { targetsOf } from './targets.ts';

const home = '/account/mysheaf?catid=org';
const saved = { userLinkId: 'x1', linkName: 'n', linkUri: '/x1', browseUrl: '/browseorg/n?orgMembershipOid=m1' };

test('dialogs of an organisation’s links keep the organisation and return to it [LNK-48]', () => {
  const create = targetsOf('sftp', 'create', { orgOid: 'o1' });
  assert.deepEqual([create.cancel, create.back, create.saved(saved)], ['/links?orgOid=o1', home, saved.browseUrl]);
  const edit = targetsOf('sftp', 'edit', { orgOid: 'o1' });
  assert.deepEqual([edit.cancel, edit.back, edit.saved(saved)], [home, home, home]);
});

test('a new object store opens under the organisation’s address', () => {
  assert.equal(targetsOf('s3', 'create', { orgOid: 'o1' }).saved(saved), saved.browseUrl);
});

test('a new object store opens, and an edited one returns, wherever the dialog was opened [S3-26] [DLG-07]', () => {
  const given = { back: '/account/mysheaf', cancel: '/account/mysheaf' };
  const own = { ...saved, browseUrl: '/browse/n' };
  assert.equal(targetsOf('s3', 'create', given).saved(own), '/browse/n');
  assert.equal(targetsOf('s3', 'create', given).cancel, '/account/mysheaf');
  assert.equal(targetsOf('s3', 'edit', given).saved(own), '/account/mysheaf');
});

test('a new link of every type opens, unless another place is asked for', () => {
  const own = { ...saved, browseUrl: '/browse/n' };
  for (const family of ['ftp', 'ofs', 'sftp', 'webdav', 'b2', 'sheafgateway', 'oracledocuments', 'googlecloud'] as const) {
    for (const given of [{}, { back: '/account/mysheaf' }])
      assert.equal(targetsOf(family, 'create', given).saved(own), '/browse/n', family);
    assert.equal(targetsOf(family, 'create', { back: '/linkprocessing' }).saved(own), '/linkprocessing', family);
  }
});
