import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSmtp } from '@sheaf/testbed';
import * as subscriptions from '#/billing/subscriptions/mails.ts';
import * as schedules from '#/files/transfers/schedules/mails.ts';
import * as admission from '#/identity/admission/mails.ts';
import * as auth from '#/identity/mails/mails.ts';
import * as account from '#/identity/profile/closing-mails.ts';
import * as health from '#/serving/health/mails.ts';
import * as limits from '#/serving/limits/mails.ts';
import * as people from '#/serving/people/mails.ts';
import * as notices from '#/sharing/notices/mails.ts';
import * as orgs from '#/sharing/orgs/mails.ts';
import * as spaces from '#/sharing/spaces/mails.ts';
import * as weblinks from '#/sharing/weblinks/mails.ts';
import type { MailContent } from './content.ts';
import * as mail from './mails.ts';
import { createSmtp } from './smtp.ts';

/** A name that would end a header's line, open a tag, and close an attribute. */
const name = 'Mara\r\nBcc: thief@example.org\r\n\r\n<b onclick="x">';
const link = 'https://sheaf.example/page?a=1&b=2#token=abc';
const told = { to: name, what: `Organisation (${name})`, amount: 15_000, currency: 'USD', endsAt: 1_800_000_000, link, isSandbox: true };
const device = { userAgent: name, address: '192.0.2.1' };
const about = { greeting: name, name, ownerName: name };
const linkTrouble = { name, org: name, links: [{ name, attention: name }], page: link, settings: link };

/** Every mail that Sheaf sends. */
const kinds: Readonly<Record<string, Readonly<Record<string, MailContent>>>> = {
  'files/transfers/schedules/mails.ts': {
    scheduleFailedMail: schedules.scheduleFailedMail({ name, schedule: name, page: link, why: name, asks: true }),
    scheduleMissedMail: schedules.scheduleMissedMail({ name, schedule: name, page: link, at: name, isRunning: true }),
  },
  'serving/health/mails.ts': { testMail: health.testMail(name, link) },
  'serving/limits/mails.ts': { limitsMail: limits.limitsMail(name, ['Links: at most 2.']) },
  'serving/people/mails.ts': { operatorActMail: people.operatorActMail(name, 'factorRemoved', link) },
  'identity/admission/mails.ts': { invitationMail: admission.invitationMail(name, link, link, 1_800_000_000) },
  'identity/profile/closing-mails.ts': {
    closingMail: account.closingMail(name, '1 December 2026', link, [], true),
    closedMail: account.closedMail(name),
  },
  'identity/mails/mails.ts': {
    signInChangedMail: auth.signInChangedMail({ name, change: { kind: 'added', what: name }, at: 0, device, profile: link }),
  },
  'platform/mail/mails.ts': {
    verifyMail: mail.verifyMail(name, link),
    signUpMail: mail.signUpMail(name, link),
    accountExistsMail: mail.accountExistsMail(name, link),
    addressTakenMail: mail.addressTakenMail(name, link),
    resetMail: mail.resetMail(name, link),
    newAddressMail: mail.newAddressMail(name, link),
    addressAskedMail: mail.addressAskedMail(name, name, link),
    addressChangedMail: mail.addressChangedMail(name),
  },
  'sharing/notices/mails.ts': {
    linkTroubleMail: notices.linkTroubleMail(linkTrouble),
    trialEndMail: notices.trialEndMail({ name, product: 'Premium', org: name, days: 3, price: '$150 a year', page: link }),
  },
  'sharing/orgs/mails.ts': {
    invitationMail: orgs.invitationMail(name, name, 'admin', link),
    removedMail: orgs.removedMail(name, name),
    transferredMail: orgs.transferredMail(name, name, name, link),
    closedMail: orgs.closedMail(name, name, name),
  },
  'sharing/spaces/mails.ts': {
    invitationMail: spaces.invitationMail({ ...about, inviterName: name, role: 'editor', link }),
    removedMail: spaces.removedMail(about),
    endedMail: spaces.endedMail(about),
    expiredMail: spaces.expiredMail(about),
    unlinkedMail: spaces.unlinkedMail(about),
  },
  'sharing/weblinks/mails.ts': {
    openedMail: weblinks.openedMail({ greeting: name, name, page: link }),
    uploadedMail: weblinks.uploadedMail({ greeting: name, name, page: link }),
  },
  'billing/subscriptions/mails.ts': {
    purchaseMail: subscriptions.purchaseMail(told, 15_000),
    renewedMail: subscriptions.renewedMail(told),
    renewalFailedMail: subscriptions.renewalFailedMail(told, 7),
    endedMail: subscriptions.endedMail(told),
    refundedMail: subscriptions.refundedMail(told),
  },
};

test('every kind of mail is covered', async () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync('**/{mails,*-mails}.ts', { cwd: root }).toSorted();
  assert.deepEqual(files, Object.keys(kinds).toSorted());
  for (const file of files) {
    const module = (await import(join(root, file))) as Readonly<Record<string, unknown>>;
    assert.deepEqual(
      Object.keys(kinds[file] ?? {}).toSorted(),
      Object.keys(module)
        .filter((key) => key.endsWith('Mail'))
        .toSorted(),
      file,
    );
  }
});

test('every kind of mail is delivered by a mail server as text and HTML, and a name in it adds no header and no tag', async (t) => {
  const server = await startSmtp();
  t.after(() => server.stop());
  const mailer = createSmtp(server.url, 'Sheaf <sheaf@example.org>');
  t.after(() => mailer.close());
  const mails = Object.values(kinds).flatMap((module) => Object.values(module));
  for (const [index, one] of mails.entries()) {
    await mailer.send({ to: `mara-${index}@example.org`, ...one }, String(index));
    const { source, to } = await server.mailTo(`mara-${index}@example.org`);
    assert.deepEqual(to, [`mara-${index}@example.org`]);
    const [headers = ''] = source.split('\r\n\r\n');
    assert.match(headers, /^Subject: ./m);
    assert.ok(!/^Bcc:/m.test(headers), one.subject);
    assert.match(source, /^Content-Type: text\/plain/m);
    assert.match(source, /^Content-Type: text\/html/m);
  }
  for (const { subject, text, html } of mails) {
    assert.ok(!/[\r\n]/.test(subject), subject);
    assert.ok(!html.includes('<b '), subject);
    assert.ok(!/(src|background)=|url\(|@import/.test(html), 'nothing is fetched');
    assert.match(html, /prefers-color-scheme:dark/);
    assert.ok(!text.includes('undefined') && !html.includes('undefined'), subject);
    assert.match(text, /\n\n-- \nSheaf$/);
  }
});
