import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sshString } from '@sheaf/connectors';
import * as contract from '@sheaf/contract';
import {
  type Call,
  type InputOf,
  addFolder,
  addSshKey,
  addVaultPasskey,
  copyObjects,
  createAppPassword,
  createAuthCode,
  createSchedule,
  createScimToken,
  createSpace,
  createVault,
  emailSignup,
  familyCalls,
  linkUriOf,
  moveObjects,
  planTransfer,
  renameObject,
  renameOrg,
  renameVault,
  showOrg,
  updateMember,
  upload,
} from '@sheaf/contract';
import { callsOf } from '#/platform/openapi/document.ts';
import { addSftp, draftOf, linkApp, rowsOf, sftpInfo } from '#/testing/links.ts';
import { metadata } from '#/testing/tus.ts';

const blanks = [' ', '\u200b', '\u00a0\u2060', '\u3164', '\u200b \u200d', '\ufeff', '\u2800'];

/** Calls with a name that the user gives, and why they are not asked here; links of every family are named by one reader (links/names.ts). */
const elsewhere: Readonly<Record<string, string>> = {
  '/rest/org/close': 'the name confirms, and is compared',
  '/rest/subscription/show_org': 'a blank name counts as none',
  '/rest/handoff/start': 'a blank name counts as none',
  '/rest/device/drive': 'a blank name becomes "A computer without a name"',
  '/rest/account/import_rclone': 'a blank name becomes "rclone"',
  '/rest/account/passkey/add': 'second-factors/service.ts reads it as that of a passkey renamed',
  '/rest/account/passkey/rename': 'needs a passkey: second-factors has the test',
  '/rest/addlink/add_googlecloud_link': 'needs a provider: named by the reader of all links',
  '/rest/transfers/copy_from_address': 'read as the new name of a copy',
  '/rest/schedules/update': 'read as at the start',
  '/rest/space/update': 'read as at the start',
  '/rest/space/update_link': 'read as at the start',
  '/rest/content/add_orglink_folder': 'the same service as in an own link',
  '/rest/content/rename_orglink_object': 'the same service as in an own link',
};
const ofLinks = new Set(Object.values(familyCalls).flatMap((calls) => callsOf(calls).map(({ path }) => path)));
const isNamed = ({ input, path }: Call): boolean =>
  Object.keys(input.properties).some((field) => /^(?:name|\w+Name)$/.test(field) && field !== 'serverName' && field !== 'bucketName') &&
  !path.includes('_info_for_org_link') &&
  !ofLinks.has(path) &&
  !/_for_org_link$|oauth_manage_info$/.test(path);

/** As ssh-keygen writes one (RFC 8709, section 4). */
const sshKey = `ssh-ed25519 ${Buffer.concat([sshString('ssh-ed25519'), sshString(Buffer.alloc(32, 7))]).toString('base64')}`;
test('names of only blanks and invisible characters are refused wherever a user gives one', async (t) => {
  const { user, source, visitor } = await linkApp(t, { settings: { SHEAF_BILLING: 'off' } });
  source.put('/folder/file.txt', 'x');
  const { userLinkId } = await addSftp(user, 'NAS');
  const { org } = await user.ask(showOrg, { trialDays: 7, orgName: 'Acme' });
  const root = linkUriOf(userLinkId, '/');
  const [folder, file] = [linkUriOf(userLinkId, '/folder'), linkUriOf(userLinkId, '/folder/file.txt')];
  const options = JSON.stringify({
    filename_encryption: 'standard',
    directory_name_encryption: true,
    filename_encoding: 'base32',
    suffix: '.bin',
  });
  const { vaultId } = await user.ask(createVault, { parentLinkUri: root, name: 'Vault', options, wrapped: 'w' });
  const asked = new Set<string>();
  const send = <C extends Call>(call: C, input: Partial<InputOf<C>>, who = user) => {
    asked.add(call.path);
    return who.send(call, input);
  };
  const kind = 'copy' as const;
  const copy = { linkUri: [file], parentLinkUri: root, conflict: 'fail' as const };
  const schedule = { ...copy, kind, cron: '30 2 * * *', timezone: 'Europe/Berlin' };
  for (const blank of blanks) {
    const query = new URLSearchParams({ parentLinkUri: root, name: blank, conflict: 'fail' });
    const headers = { 'x-rtag': user.cookies.get('sh') ?? '' };
    const tus = { ...headers, 'tus-resumable': '1.0.0', 'upload-length': '1' };
    const answers = {
      link: await user.send(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: blank })),
      organisation: await send(renameOrg, { orgOid: org.orgOid, newName: blank }),
      directoryToken: await send(createScimToken, { orgOid: org.orgOid, name: blank }),
      space: await send(createSpace, { storageLinkUri: folder, spaceName: blank }),
      authCode: await send(createAuthCode, { name: blank }),
      appPassword: await send(createAppPassword, { name: blank, linkUri: [], rights: 'read' }),
      sshKey: await send(addSshKey, { name: blank, publicKey: sshKey, linkUri: [], rights: 'read' }),
      vault: await send(createVault, { parentLinkUri: root, name: blank, options, wrapped: 'w' }),
      vaultInList: await send(renameVault, { vaultId, name: blank }),
      vaultPasskey: await send(addVaultPasskey, { vaultId, name: blank, sealed: 's' }),
      schedule: await send(createSchedule, { ...schedule, name: blank }),
      copy: await send(copyObjects, { ...copy, newName: blank }),
      move: await send(moveObjects, { ...copy, newName: blank }),
      plan: await send(planTransfer, { ...copy, kind, newName: blank }),
      folder: await send(addFolder, { parentLinkUri: root, folderName: blank, conflict: 'fail' }),
      rename: await send(renameObject, { linkUri: file, newName: blank }),
      upload: await user.inject({ method: 'PUT', url: `${upload.path}?${query.toString()}`, headers, payload: 'x' }),
      uploadInParts: await user.inject({
        method: 'POST',
        url: contract.tus.path,
        headers: { ...tus, 'upload-metadata': metadata({ parentLinkUri: root, name: blank, conflict: 'fail' }) },
      }),
      // A person's name is optional, and blanks count as none.
      ...(blank.trim() !== '' && {
        account: await send(updateMember, { newName: blank, newEmail: user.email }),
        signUp: await visitor().send(emailSignup, { name: blank, email: 'other@example.org', password: 'correct horse battery' }),
      }),
    };
    for (const [what, { statusCode, body }] of Object.entries(answers))
      assert.equal(statusCode, 400, `${what} ${JSON.stringify(blank)}: ${body}`);
  }
  assert.deepEqual(
    (await rowsOf(user)).map(({ name }) => name),
    ['NAS'],
  );
  const known = new Set([...asked, emailSignup.path, upload.path, ...Object.keys(elsewhere)]);
  const forgotten = callsOf(contract).filter((call) => isNamed(call) && !known.has(call.path));
  assert.deepEqual(
    forgotten.map(({ path }) => path),
    [],
  );
});
