import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageOf } from './debian-packages.ts';

test('a missing program is reported by its package, or by its own name where no package is known', () => {
  assert.equal(packageOf('/usr/sbin/sshd'), 'openssh-server');
  assert.equal(packageOf('ssh-keygen'), 'openssh-client');
  assert.equal(packageOf('/usr/bin/WebKitWebDriver'), 'webkit2gtk-driver');
  assert.equal(packageOf('vsftpd'), 'vsftpd');
});
