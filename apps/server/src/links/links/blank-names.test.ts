import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addFolder,
  createAuthCode,
  createSpace,
  emailSignup,
  familyCalls,
  linkUriOf,
  renameObject,
  renameOrg,
  showOrg,
  updateMember,
  upload,
} from '@sheaf/contract';
import { addSftp, draftOf, linkApp, rowsOf, sftpInfo } from '#/testing/links.ts';

const blanks = [' ', '\u200b', '\u00a0\u2060', '\u3164', '\u200b \u200d', '\ufeff', '\u2800'];

test('names of only blanks and invisible characters are refused wherever a user gives one', async (t) => {
  const { user, source, visitor } = await linkApp(t, { settings: { SHEAF_BILLING: 'off' } });
  source.put('/folder/file.txt', 'x');
  const { userLinkId } = await addSftp(user, 'NAS');
  const { org } = await user.ask(showOrg, { trialDays: 7, orgName: 'Acme' });
  const root = linkUriOf(userLinkId, '/');
  const file = linkUriOf(userLinkId, '/folder/file.txt');
  for (const blank of blanks) {
    const query = new URLSearchParams({ parentLinkUri: root, name: blank, conflict: 'fail' });
    const headers = { 'x-rtag': user.cookies.get('sh') ?? '' };
    const answers = {
      link: await user.send(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: blank })),
      organisation: await user.send(renameOrg, { orgOid: org.orgOid, newName: blank }),
      space: await user.send(createSpace, { storageLinkUri: linkUriOf(userLinkId, '/folder'), spaceName: blank }),
      authCode: await user.send(createAuthCode, { name: blank }),
      folder: await user.send(addFolder, { parentLinkUri: root, folderName: blank, conflict: 'fail' }),
      rename: await user.send(renameObject, { linkUri: file, newName: blank }),
      upload: await user.inject({ method: 'PUT', url: `${upload.path}?${query.toString()}`, headers, payload: 'x' }),
      // A person's name is optional, and blanks count as none.
      ...(blank.trim() !== '' && {
        account: await user.send(updateMember, { newName: blank, newEmail: user.email }),
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
});
