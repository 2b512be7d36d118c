import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type Source, findSource, secretMask } from '@sheaf/contract';
import { formOf } from '#/features/links/dialogs/forms.ts';
import type { Mode, Setting } from './field.ts';
import { draftOf, firstToFill, initialValues, isComplete, typedOver } from './form-values.ts';

const source = (provider: string): Source => {
  const found = findSource(provider);
  assert.ok(found);
  return found;
};
function dialog(provider: string, mode: Mode = 'create') {
  const setting: Setting = { source: source(provider), mode, ...(mode === 'edit' ? { userLinkId: 'x1' } : {}) };
  const form = formOf(setting.source.family);
  assert.ok(form);
  return { setting, form, fields: form.fields(setting) };
}
function sent(provider: string, values: Record<string, string>, mode: Mode = 'create', insist = false) {
  const { setting, form } = dialog(provider, mode);
  const opened = { name: 'As opened' };
  const draft = draftOf({ form, setting, opened, values: { ...initialValues(form, setting, opened), ...values }, insist }, opened);
  return { draft, info: JSON.parse(draft.connectionInfo ?? '') as Record<string, string> };
}
const labels = (provider: string, mode: Mode = 'create') => dialog(provider, mode).fields.map(({ label }) => label);

test('the storage class is hidden where the provider has one class only', () => {
  for (const provider of ['Wasabi', 'DigitalOcean', 'DreamHost', 'MinIO']) assert.ok(!labels(provider).includes('Storage class'), provider);
  for (const provider of ['S3', 'S3Compat', 'AzureStorage']) assert.ok(labels(provider).includes('Storage class'), provider);
});

test('the bucket cannot be changed once linked', () => {
  const bucket = (mode: Mode) => dialog('S3', mode).fields.find(({ name }) => name === 'bucketName');
  assert.equal(bucket('create')?.readOnly, false);
  assert.equal(bucket('edit')?.readOnly, true);
});

test('S3 sends its own fields and nothing else', () => {
  const { info } = sent('S3', { name: 'Photos', key: 'AK', secret: 's', bucketName: 'b', region: 'eu-north-1' });
  assert.deepEqual(Object.keys(info).toSorted(), ['bucketName', 'defaultStorageClass', 'directoryStructure', 'host', 'key', 'secret']);
  assert.equal(info['defaultStorageClass'], 'STANDARD');
  assert.equal(info['directoryStructure'], "SIMPLE '/' DELIMITED");
});

test('S3 needs name, bucket, key and secret, and no host', () => {
  const { fields } = dialog('S3');
  const full = { name: 'n', bucketName: 'b', key: 'k', secret: 's', host: '' };
  assert.equal(isComplete(fields, full), true);
  for (const name of ['name', 'bucketName', 'key', 'secret']) assert.equal(isComplete(fields, { ...full, [name]: ' ' }), false, name);
});

test('FTP has its certificate rule in both modes and starts with two connections over TLS', () => {
  assert.ok(labels('FTP').includes('Valid SSL'));
  assert.ok(labels('FTP', 'edit').includes('Valid SSL'));
  const { info } = sent('FTP', { server: 'f', username: 'u', password: 'p' });
  assert.equal(info['protocol'], 'FTPS (Explicit TLS)');
  assert.equal(info['numConcurrentConnections'], '2');
  assert.equal(info['enforceSSL'], 'ENFORCE_MATCH');
  assert.equal(sent('FTP', { enforceSSL: 'IGNORE_MATCH' }, 'edit').info['enforceSSL'], 'IGNORE_MATCH');
});

test('the name is sent only when it was changed', () => {
  assert.equal(sent('FTP', { name: 'As opened' }).draft.serverName, undefined);
  assert.equal(sent('FTP', { name: 'Print shop' }).draft.serverName, 'Print shop');
  assert.equal(sent('S3', { name: 'Print shop' }).draft.linkName, 'Print shop');
});

test('generic WebDAV has the certificate rule, a named provider has a fixed address and none', () => {
  assert.ok(labels('WebDAV').includes('Valid SSL'));
  assert.ok(!labels('hidrive').includes('Valid SSL'));
  const server = dialog('hidrive').fields.find(({ name }) => name === 'server');
  assert.equal(server?.readOnly, true);
  assert.equal(server.preset, source('hidrive').serverUrl);
});

test('WebDAV sends a destination only when there is one, with the user name filled in', () => {
  assert.equal('destinationUrl' in sent('WebDAV', {}).info, false);
  assert.equal(sent('WebDAV', { destinationUrl: 'https://a/b' }).info['destinationUrl'], 'https://a/b');
  assert.match(sent('hidrive', { username: 'mara halm' }).info['destinationUrl'] ?? '', /\/users\/mara%20halm$/);
});

test('WebDAV and the gateway ask for the check while saving, unless the user insists', () => {
  for (const provider of ['WebDAV', 'SheafGateway']) {
    assert.equal(sent(provider, {}).draft.validateConnection, true);
    assert.equal(sent(provider, {}, 'create', true).draft.validateConnection, false);
  }
  assert.equal(sent('FTP', {}).draft.validateConnection, undefined);
  assert.equal(sent('FTP', {}, 'edit', true).draft.continueAnyway, true);
});

test('SFTP sends the host with its port', () => {
  const host = (server: string) => sent('SFTP', { server, login: 'password' }).info['server'];
  assert.equal(host('nas.example'), 'nas.example:22');
  assert.equal(host(' nas.example:2222 '), 'nas.example:2222');
  assert.equal(host('fd00::1'), '[fd00::1]:22');
  assert.equal(host('[fd00::1]'), '[fd00::1]:22');
  assert.equal(host('[fd00::1]:2222'), '[fd00::1]:2222');
});

test('SFTP sends the passphrase as the password of a key file, and no key file with a password', () => {
  const entered = { server: 'n', username: 'u', password: 'p', passphrase: 'pp', keyfileContent: 'KEY' };
  const byKey = sent('SFTP', { ...entered, login: 'keyfile' }).info;
  assert.deepEqual([byKey['password'], byKey['keyfileContent']], ['pp', 'KEY']);
  const byPassword = sent('SFTP', { ...entered, login: 'password' }).info;
  assert.deepEqual([byPassword['password'], byPassword['keyfileContent']], ['p', '']);
  assert.equal(byPassword['numConcurrentConnections'], '3');
  assert.equal(byPassword['enforceSSL'], 'ENFORCE_MATCH');
});

test('a stored key file comes back with its passphrase, and the stored certificate rule is sent back', () => {
  const { form, setting } = dialog('SFTP', 'edit');
  const stored = { server: 'n:22', username: 'u', password: secretMask, keyfileContent: secretMask, enforceSSL: 'IGNORE_MATCH' };
  const values = initialValues(form, setting, { name: 'Home', stored });
  assert.deepEqual([values['login'], values['passphrase'], values['password']], ['keyfile', secretMask, undefined]);
  assert.equal(form.info(values, setting)['enforceSSL'], 'IGNORE_MATCH');
});

test('a server in a private network is saved unchecked, whatever the case of the message', () => {
  const { form } = dialog('SFTP');
  assert.equal(form.canCheck?.({ accessType: 'PRIVATE network' }), false);
  assert.equal(form.canCheck?.({ accessType: 'Internet Accessible SFTP Server' }), true);
});

test('the first keystroke in a stored secret replaces its mask', () => {
  assert.equal(typedOver(secretMask, `${secretMask}a`), 'a');
  assert.equal(typedOver(secretMask, secretMask.slice(1)), '');
  assert.equal(typedOver('ab', 'abc'), 'abc');
});

test('the focus starts in the first empty field, or in the first one when all are filled', () => {
  const { fields } = dialog('FTP');
  assert.equal(firstToFill(fields, { name: 'My FTP Server', protocol: 'FTP' }), 'server');
  assert.equal(firstToFill(fields, { name: 'a', server: 'b', protocol: 'c', username: 'd', password: 'e' }), 'name');
});
