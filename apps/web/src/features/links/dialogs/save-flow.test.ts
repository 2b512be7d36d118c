import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type Call, type LinkDraft, type SavedLink, findSource } from '@sheaf/contract';
import type { Send, Setting } from './fields/field.ts';
import { initialValues } from './fields/form-values.ts';
import { formOf } from './forms.ts';
import { saveLink } from './save-flow.ts';

const saved: SavedLink = { userLinkId: 'x1', linkName: 'n', linkUri: '/x1', browseUrl: '/browse/n' };

/** Saves through a server that answers checks with `verdict`; returns the calls and the outcome. */
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
  return {
    paths: sent.map(({ path }) => path.split('/').at(-1)),
    last: sent.at(-1)?.draft,
    drafts: sent.map(({ draft }) => draft),
    outcome,
  };
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

test('in an organisation S3 uses the organisation’s calls and names the organisation [S3-29] [S3-30] [S3-31]', async () => {
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

test('B2 saves what the check has completed, and nothing that was refused [B2-17] [B2-18] [B2-19] [B2-20]', async () => {
  const completedConnectionInfo = { accountId: 'whole', applicationKey: 'k', allowWrite: 'ALLOW_WRITE' };
  const verdict = { isValid: true, completedConnectionInfo };
  const create = await run('B2', verdict, { values: { name: 'b', accountId: 'a', applicationKey: 'k' } });
  assert.deepEqual(create.paths, ['verify_b2_connection', 'add_b2_link']);
  assert.deepEqual(JSON.parse(create.last?.connectionInfo ?? ''), completedConnectionInfo);
  const edit = await run('B2', verdict, { mode: 'edit', userLinkId: 'x1' });
  assert.deepEqual(edit.paths, ['verify_b2_connection', 'update_b2_connection']);
  assert.deepEqual((await run('B2', { isValid: false })).paths, ['verify_b2_connection']);
});

test('B2 allows writes unless told otherwise [B2-12] [B2-13] [B2-14]', async () => {
  const info = async (more: object) => JSON.parse((await run('B2', { isValid: true }, more)).last?.connectionInfo ?? '') as unknown;
  assert.deepEqual(await info({ values: { accountId: 'a', applicationKey: 'k' } }), {
    allowWrite: 'ALLOW_WRITE',
    accountId: 'a',
    applicationKey: 'k',
  });
  const forbidden = { mode: 'edit', userLinkId: 'x1', values: { accountId: 'a', applicationKey: 'k', allowWrite: 'DISALLOW_WRITE' } };
  assert.deepEqual(await info(forbidden), { allowWrite: 'DISALLOW_WRITE', accountId: 'a', applicationKey: 'k' });
});

test('Oracle Documents saved without a name asks for a free one, which is not sent [ORA-13] [ORA-19]', async () => {
  const unnamed = await run('OracleDocuments', { isValid: true });
  assert.deepEqual(unnamed.paths, ['get_default_source_name', 'validate_oracle_connection_info', 'set_oracle_connection']);
  assert.equal(unnamed.last?.serverName, undefined);
  const named = await run('OracleDocuments', { isValid: true }, { values: { name: 'mine' } });
  assert.deepEqual(named.paths, ['validate_oracle_connection_info', 'set_oracle_connection']);
  assert.equal(named.last?.serverName, 'mine');
  const insisting = await run('OracleDocuments', { isValid: false }, { insist: true, values: { name: 'mine' } });
  assert.deepEqual(insisting.paths, ['set_oracle_connection']);
});

test('a link made by authorization is checked, then renamed; insisting skips the check [OAU-10] [OAU-11] [OAU-13] [GCS-14] [GCS-16]', async () => {
  for (const provider of ['Dropbox', 'GoogleCloud']) {
    const edit = { mode: 'edit', userLinkId: 'x1', values: { name: 'new' } } as const;
    const saved_ = await run(provider, { isValid: true }, edit);
    assert.deepEqual(saved_.paths, ['validate_oauth_manage_info', 'update_oauth_manage_info']);
    assert.deepEqual(saved_.last, { userLinkId: 'x1', serverName: 'new' });
    assert.deepEqual((await run(provider, { isValid: false }, edit)).paths, ['validate_oauth_manage_info']);
    assert.deepEqual((await run(provider, { isValid: false }, { ...edit, insist: true })).paths, ['update_oauth_manage_info']);
  }
  const org = await run('Dropbox', { isValid: true }, { mode: 'edit', userLinkId: 'x1', orgOid: 'o1', values: { name: 'new' } });
  assert.deepEqual(org.paths, ['validate_oauth_manage_info_for_org_link', 'update_oauth_manage_info_for_org_link']);
});

test('every call of every family names the organisation, and only in an organisation [SEC-06] [SEC-07] [SEC-09]', async () => {
  for (const provider of ['S3', 'FTP', 'OFS', 'SFTP', 'WebDAV', 'SheafGateway', 'OracleDocuments', 'B2']) {
    for (const more of [{ mode: 'create' }, { mode: 'edit', userLinkId: 'x1' }] as const) {
      const named = { ...more, values: { name: 'n' } };
      const org = await run(provider, { isValid: true }, { ...named, orgOid: 'o1' });
      assert.ok(org.drafts.length > 0 && org.drafts.every(({ orgOid }) => orgOid === 'o1'), provider);
      const own = await run(provider, { isValid: true }, named);
      assert.ok(own.drafts.every((draft) => !('orgOid' in draft)) && own.paths.every((path) => path?.includes('org') === false), provider);
    }
  }
});
