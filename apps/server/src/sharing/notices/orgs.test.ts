import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { changeOrgMember, familyCalls, products, setNotices } from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { draftOf, listRoot, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { mailAbout, mailsTo } from '#/testing/outbox.ts';

const hour = 3600;
const day = 86_400;

/** An organisation with an admin and a member besides its owner, all with verified addresses, and one link. */
async function setting(t: TestContext) {
  let time = 1_800_000_000;
  const app = await orgApp(t, { now: () => time });
  const { services, owner, org } = app;
  const [admin, member] = [await app.join('admin'), await app.join('member')];
  await services.database.db.updateTable('account').set({ verifiedAt: 1 }).where('kind', '=', 'person').execute();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid: org.orgOid, linkName: 'Archive' }));
  await services.background.idle();
  return {
    ...app,
    admin,
    member,
    /** Makes the link fail from now on. */
    async fail(): Promise<void> {
      app.refuse('unreachable');
      await Promise.allSettled([listRoot({ services, user: { ...owner, userId: org.orgOid } }, userLinkId)]);
      await services.background.idle();
    },
    async round(seconds = 0): Promise<void> {
      time += seconds;
      await services.notices.send();
    },
    /** Subjects of the notices that a user received. */
    async told({ email }: Pick<User, 'email'>): Promise<string[]> {
      const subjects = (await mailsTo(app, email)).map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '');
      return subjects.filter((subject) => /attention|trial/.test(subject));
    },
  };
}

test('when an organisation’s link fails, its owner and admins receive a mail, and other members none', async (t) => {
  const app = await setting(t);
  const { owner, admin, member, told } = app;
  await app.fail();
  await app.round();
  await app.round(hour);
  const subject = 'The link Archive of Acme needs attention';
  assert.deepEqual([await told(owner), await told(admin), await told(member)], [[subject], [subject], []]);
  const mail = await mailAbout(app, admin.email, /has not reached this storage of Acme for an hour/);
  assert.match(mail, /\/account\/mysheaf\?catid=org/);
});

test('each admin can turn these mails off, and a member who has become an admin receives them', async (t) => {
  const app = await setting(t);
  const { owner, admin, member, org, told } = app;
  await owner.ask(setNotices, { links: false });
  await owner.ask(changeOrgMember, { orgOid: org.orgOid, memberId: member.membershipOid, role: 'admin' });
  await owner.ask(changeOrgMember, { orgOid: org.orgOid, memberId: admin.membershipOid, role: 'member' });
  await app.fail();
  await app.round();
  await app.round(hour);
  assert.deepEqual([(await told(owner)).length, (await told(admin)).length, (await told(member)).length], [0, 0, 1]);
});

test('the paying owner of an organisation is told of the end of its trial three days before and on the last day', async (t) => {
  const app = await setting(t);
  const { owner, admin, member, org, told } = app;
  await app.round((products.org.trialDays - 3) * day);
  const soon = `Acme's free trial of ${products.org.name} ends in 3 days`;
  assert.deepEqual(await told(owner), [soon]);
  await app.round(2 * day);
  await app.round(hour);
  assert.deepEqual(await told(owner), [soon, `Acme's free trial of ${products.org.name} ends today`]);
  assert.deepEqual([await told(admin), await told(member)], [[], []]);
  const mail = await mailAbout(app, owner.email, /ends today/);
  assert.ok(mail.includes(`/org/subscription?orgOid=${org.orgOid}`), mail);
});
