import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitFor } from './units.ts';

const wanted = {
  id: 'abc123',
  title: 'Sheaf copies 100% "of" <it>',
  command: ['/opt/a b/node', '/opt/sheaf.mjs', 'sync', '--watch', '/home/m/100% $HOME "x" \\ & <y>'],
  environment: { SHEAF_CLI_DIR: '/home/m/kept here' },
};
const place = { home: '/home/m', env: {}, uid: 501 };
const unitOf = (platform: NodeJS.Platform, command = wanted) => unitFor({ ...place, platform }, command) ?? assert.fail();

test('a systemd user unit starts the command with all special characters escaped, and restarts it on failure', () => {
  const { file, content, start, stop } = unitOf('linux');
  assert.equal(file, '/home/m/.config/systemd/user/sheaf-abc123.service');
  const lines = String(content).split('\n');
  assert.ok(
    lines.includes(String.raw`ExecStart="/opt/a b/node" "/opt/sheaf.mjs" "sync" "--watch" "/home/m/100%% $$HOME \"x\" \\ & <y>"`),
    String(content),
  );
  assert.ok(lines.includes('Environment="SHEAF_CLI_DIR=/home/m/kept here"') && lines.includes('Restart=on-failure'));
  assert.deepEqual(
    [start.at(-1)?.join(' '), stop[0]?.join(' ')],
    ['systemctl --user enable --now sheaf-abc123.service', 'systemctl --user disable --now sheaf-abc123.service'],
  );
});

test('a macOS launch agent has each argument as a separate string', () => {
  const { file, content, start } = unitOf('darwin');
  assert.equal(file, '/home/m/Library/LaunchAgents/sheaf.abc123.plist');
  const words = [...String(content).matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, word]) => word);
  assert.deepEqual(words.slice(-1), ['/home/m/100% $HOME &quot;x&quot; \\ &amp; &lt;y&gt;']);
  assert.match(String(content), /<dict><key>SHEAF_CLI_DIR<\/key><string>\/home\/m\/kept here<\/string><\/dict>/);
  assert.deepEqual(start, [['launchctl', 'bootstrap', 'gui/501', file]]);
});

test('a Windows task is UTF-16, and quotes its arguments as Windows parses them', () => {
  const command = ['C:\\Sheaf\\lib\\node.exe', 'C:\\Sheaf\\lib\\sheaf.mjs', 'sync', 'C:\\Users\\M & N\\'];
  const { content, start } = unitOf('win32', { ...wanted, command, environment: {} as typeof wanted.environment });
  const text = (content as Buffer).toString('utf16le');
  assert.ok(text.startsWith('\ufeff<?xml version="1.0" encoding="UTF-16"?>'));
  assert.match(text, /<Command>C:\\Sheaf\\lib\\node\.exe<\/Command>/);
  assert.ok(
    text.includes(String.raw`<Arguments>&quot;C:\Sheaf\lib\sheaf.mjs&quot; &quot;sync&quot; &quot;C:\Users\M &amp; N\\&quot;</Arguments>`),
    text,
  );
  assert.deepEqual(start[0]?.slice(0, 5), ['schtasks', '/Create', '/F', '/TN', 'Sheaf abc123']);
});

test('other systems have no unit', () => {
  assert.equal(unitFor({ ...place, platform: 'freebsd' }, wanted), undefined);
});
