import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createWeblink, inviteToOrg, inviteToSpace, linkUriOf, showOrg } from '@sheaf/contract';
import { startSmtp } from '@sheaf/testbed';
import { spaceApp } from '#/testing/spaces.ts';

async function appWith(t: TestContext, settings: Readonly<Record<string, string>>) {
  const app = await spaceApp(t, { settings: { SHEAF_BILLING: 'off', ...settings } });
  const { user, services, space, storageId } = app;
  const { org } = await user.ask(showOrg, { orgName: 'Acme', trialDays: 7 });
  const isProven = (verifiedAt: number | null) =>
    services.db.updateTable('account').set({ verifiedAt }).where('id', '=', user.userId).execute();
  const tries = async (): Promise<string[]> => {
    const answers = [
      await user.send(createWeblink, { linkUri: linkUriOf(storageId, '/projects/team') }),
      await user.send(inviteToSpace, { spaceOid: space.spaceOid, emails: 'a@example.org', role: 'viewer' }),
      await user.send(inviteToOrg, { orgOid: org.orgOid, emails: 'b@example.org', role: 'member' }),
      await user.send(showOrg, { orgName: 'Second', trialDays: 7 }),
    ];
    return answers.map((answer) => (answer.statusCode === 200 ? 'ok' : (answer.json() as { messageCode: string }).messageCode));
  };
  return { ...app, isProven, tries };
}

test('an account without a confirmed address can share nothing, invite nobody and found no organisation', async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.stop());
  const { isProven, tries } = await appWith(t, { SHEAF_SMTP_URL: smtp.url, SHEAF_SIGNUP: 'open' });
  await isProven(null);
  assert.deepEqual(await tries(), ['EMAIL_UNPROVEN', 'EMAIL_UNPROVEN', 'EMAIL_UNPROVEN', 'EMAIL_UNPROVEN']);
  assert.deepEqual(
    smtp.mails.filter(({ to }) => to.includes('a@example.org') || to.includes('b@example.org')),
    [],
  );
  await isProven(1);
  assert.deepEqual(await tries(), ['ok', 'ok', 'ok', 'NOT_ELIGIBLE']);
});

test('without a mail server nobody has to confirm an address', async (t) => {
  const { isProven, tries } = await appWith(t, {});
  await isProven(null);
  assert.deepEqual(await tries(), ['ok', 'ok', 'ok', 'NOT_ELIGIBLE']);
});
