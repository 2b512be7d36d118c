import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type Call, type LinkDraft, type SavedLink, findSource } from '@sheaf/contract';
import type { Send, Setting } from './field.ts';
import { initialValues } from './form-values.ts';
import { formOf } from './forms.ts';
import { saveLink } from './save-flow.ts';

const saved: SavedLink = { userLinkId: 'x1', linkName: 'n', linkUri: '/x1', browseUrl: '/browse/n' };

/** Saves through a server that answers checks with `verdict`; tells what was called and how it ended. */
async function run(provider: string, verdict: object, more: Partial<Setting> & { insist?: boolean; values?: Record<string, string> } = {}) {
  const { insist = false, values = {}, ...rest } = more;
  const source = findSource(provider);
  const form = formOf(source?.family);
  assert.ok(source && form);
  const setting: Setting = { source, mode: 'create', ...rest };
  const sent: { path: string; draft: LinkDraft }[] = [];
  const answer = async (call: Call, draft: LinkDraft): Promise<unknown> => {
    sent.push({ path: call.path, draft });
    return /valid|verify/.test(call.path) ? verdict : saved;
  };
  const opened = { name: '' };
  const outcome = await saveLink(answer as Send, {
    form,
    setting,
    opened,
    values: { ...initialValues(form, setting, opened), ...values },
    insist,
  });
  return { paths: sent.map(({ path }) => path.split('/').at(-1)), last: sent.at(-1)?.draft, outcome };
}

test('FTP, file server and SFTP are validated, then saved', async () => {
  for (const [provider, stem] of [
    ['FTP', 'ftp'],
    ['OFS', 'ofs'],
    ['SFTP', 'sftp'],
  ] as const) {
    const create = await run(provider, { isValid: true });
    assert.deepEqual(create.paths, [`validate_${stem}_connection_info`, `set_${stem}_connection`]);
    assert.deepEqual(create.outcome, { saved });
    const edit = await run(provider, { isValid: true }, { mode: 'edit', userLinkId: 'x1' });
    assert.deepEqual(edit.paths, [`validate_${stem}_connection_info`, `update_${stem}_connection`]);
    assert.equal(edit.last?.userLinkId, 'x1');
  }
});

test('a refused connection is not saved, and one the user insists on is not checked again', async () => {
  const verdict = { isValid: false, errorCode: 422 };
  const refused = await run('FTP', verdict);
  assert.deepEqual(refused.paths, ['validate_ftp_connection_info']);
  assert.deepEqual(refused.outcome, { refused: verdict });
  assert.deepEqual((await run('FTP', verdict, { insist: true })).paths, ['set_ftp_connection']);
});

test('an SFTP server in a private network is saved without a check', async () => {
  const { paths } = await run('SFTP', { isValid: false }, { values: { accessType: 'Private network' } });
  assert.deepEqual(paths, ['set_sftp_connection']);
});

test('S3 saves what the check has completed, in create and in edit', async () => {
  const verdict = { isValid: true, completedConnectionInfo: { bucketName: 'b', region: 'eu-north-1' } };
  for (const [mode, path] of [
    ['create', 'add_amazon_s3_link'],
    ['edit', 'update_amazon_s3_link'],
  ] as const) {
    const { paths, last } = await run('S3', verdict, { mode });
    assert.deepEqual(paths, ['verify_amazon_s3_connection', path]);
    assert.equal(last?.connectionInfo, '{"bucketName":"b","region":"eu-north-1"}');
  }
});

test('in an organisation S3 uses the organisation’s calls and names it [S3-29] [S3-30] [S3-31]', async () => {
  const verdict = { isValid: true };
  const create = await run('S3', verdict, { orgOid: 'o7' });
  assert.deepEqual(create.paths, ['verify_amazon_s3_connection_for_org_link', 'add_amazon_s3_for_org_link']);
  assert.equal(create.last?.orgOid, 'o7');
  const edit = await run('S3', verdict, { orgOid: 'o7', mode: 'edit' });
  assert.deepEqual(edit.paths, ['verify_amazon_s3_connection_for_org_link', 'update_amazon_s3_for_org_link']);
});

test('WebDAV is saved with one call, the one its provider names [DAV-15] [DAV-16] [DAV-17] [DAV-18]', async () => {
  const source = findSource('WebDAV');
  assert.ok(source);
  const { addApi: _add, updateApi: _update, ...plain } = source;
  assert.deepEqual((await run('WebDAV', {}, { source: plain })).paths, ['add_webdav_provider_link']);
  assert.deepEqual((await run('WebDAV', {}, { source: plain, mode: 'edit' })).paths, ['update_webdav_provider_link']);
  const named = { ...plain, addApi: 'add_own_link', updateApi: 'update_own_link' };
  assert.deepEqual((await run('WebDAV', {}, { source: named })).paths, ['add_own_link']);
  assert.deepEqual((await run('WebDAV', {}, { source: named, mode: 'edit' })).paths, ['update_own_link']);
});
