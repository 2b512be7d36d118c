import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Drive, type Place, chooseMeans, meansNames, meansOf } from './means.ts';

const drive: Drive = {
  folder: '/home/mara/My drive',
  dav: 'https://sheaf.example.org/dav/My%20NAS/',
  sftp: { host: 'sheaf.example.org', port: 2222, path: '/My NAS' },
  knownHosts: '/home/mara/a, b/known_hosts',
  username: 'mara-7f2kcd',
  password: `pass$[exit]"'{word}`,
  isReadOnly: false,
};
const linux: Place = { platform: 'linux', isRoot: false, has: () => true, hasFuse: true };

test('a password is passed through standard input, never on the command line', () => {
  for (const name of meansNames) {
    const { command, input, stop } = meansOf(name, drive);
    assert.ok(!JSON.stringify([command, stop]).includes('pass$'), name);
    assert.ok(input.includes('pass'), name);
  }
});

test('Linux uses sshfs where the server has SFTP, else davfs2 for root, else gio, or says what is missing', () => {
  const only = (...names: readonly string[]): Place => ({ ...linux, has: (program) => names.includes(program) });
  assert.equal(chooseMeans(linux, true), 'sshfs');
  assert.equal(chooseMeans({ ...linux, isRoot: true }, false), 'davfs2');
  assert.equal(chooseMeans(linux, false), 'gio');
  assert.equal(chooseMeans({ ...linux, hasFuse: false }, true), 'gio');
  assert.match(JSON.stringify(chooseMeans(only(), true)), /sshfs is missing\. .*sudo apt install sshfs/);
  assert.match(JSON.stringify(chooseMeans(only('mount.davfs', 'sshfs'), false)), /SHEAF_SFTP_PORT.*only root/);
  assert.match(JSON.stringify(chooseMeans({ ...only(), hasFuse: false }, true)), /no FUSE/);
  assert.match(JSON.stringify(chooseMeans({ ...linux, platform: 'aix' }, true)), /no way/);
  assert.equal(chooseMeans({ ...linux, platform: 'darwin' }, true), 'mount_webdav');
  assert.equal(chooseMeans({ ...linux, platform: 'win32' }, true), 'windows');
});

test('sshfs accepts only the host key that the server named, and ignores the configuration of the user', () => {
  const { command } = meansOf('sshfs', { ...drive, isReadOnly: true });
  assert.deepEqual(command.slice(0, 5), ['sshfs', '-F', '/dev/null', '-p', '2222']);
  assert.ok(command.includes('StrictHostKeyChecking=yes') && command.includes('ro'));
  assert.ok(command.includes(String.raw`UserKnownHostsFile="/home/mara/a\, b/known_hosts"`));
  assert.deepEqual(command.slice(-2), ['mara-7f2kcd@sheaf.example.org:/My NAS', '/home/mara/My drive']);
  const ipv6 = meansOf('sshfs', { ...drive, sftp: { host: '::1', port: 22, path: '/' } });
  assert.ok(ipv6.command.includes('mara-7f2kcd@[::1]:/'));
});

test('scripts for macOS and Windows quote all characters of names and passwords', () => {
  const mac = meansOf('mount_webdav', drive).input;
  assert.ok(mac.includes('spawn /sbin/mount_webdav -i "https://sheaf.example.org/dav/My%20NAS/" "/home/mara/My drive"\n'));
  assert.ok(mac.includes(String.raw`send -- "pass\$\[exit\]\"'\{word\}`), mac);
  const windows = meansOf('windows', { ...drive, folder: 'S:' });
  assert.ok(
    windows.input.includes(String.raw`MapNetworkDrive('S:', '\\sheaf.example.org@SSL\DavWWWRoot\dav\My NAS', $false, 'mara-7f2kcd',`),
  );
  assert.ok(windows.input.includes(`'pass$[exit]"''{word}'`));
  const local = meansOf('windows', { ...drive, folder: 'S:', dav: 'http://127.0.0.1:8080/dav/' });
  assert.ok(local.input.includes(String.raw`'\\127.0.0.1@8080\DavWWWRoot\dav'`));
});
