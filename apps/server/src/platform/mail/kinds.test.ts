import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSmtp } from '@sheaf/testbed';
import * as subscriptions from '#/billing/subscriptions/letters.ts';
import * as schedules from '#/files/transfers/schedules/letters.ts';
import * as auth from '#/identity/letters/letters.ts';
import * as account from '#/identity/profile/closing-letters.ts';
import * as notices from '#/sharing/notices/letters.ts';
import * as orgs from '#/sharing/orgs/letters.ts';
import * as spaces from '#/sharing/spaces/letters.ts';
import type { Letter } from './letter.ts';
import * as mail from './letters.ts';
import { createSmtp } from './smtp.ts';

/** A name that would end a header's line, open a tag, and close an attribute. */
const name = 'Mara\r\nBcc: thief@example.org\r\n\r\n<b onclick="x">';
const link = 'https://sheaf.example/page?a=1&b=2#token=abc';
const told = { to: name, what: `Organisation (${name})`, amount: 15_000, currency: 'USD', endsAt: 1_800_000_000, link, isSandbox: true };
const device = { userAgent: name, address: '192.0.2.1' };
const about = { greeting: name, name, ownerName: name };
const linkTrouble = { name, org: name, links: [{ name, attention: name }], page: link, settings: link };

/** Every mail that Sheaf sends. */
const kinds: Readonly<Record<string, Readonly<Record<string, Letter>>>> = {
  'files/transfers/schedules/letters.ts': {
    scheduleFailedLetter: schedules.scheduleFailedLetter({ name, schedule: name, page: link, why: name, asks: true }),
    scheduleMissedLetter: schedules.scheduleMissedLetter({ name, schedule: name, page: link, at: name, isRunning: true }),
  },
  'identity/profile/closing-letters.ts': {
    closingLetter: account.closingLetter(name, '1 December 2026', link, []),
    closedLetter: account.closedLetter(name),
  },
  'identity/letters/letters.ts': {
    signInChangedLetter: auth.signInChangedLetter({ name, change: { kind: 'added', what: name }, at: 0, device, profile: link }),
  },
  'platform/mail/letters.ts': {
    verifyLetter: mail.verifyLetter(name, link),
    signUpLetter: mail.signUpLetter(name, link),
    accountExistsLetter: mail.accountExistsLetter(name, link),
    addressTakenLetter: mail.addressTakenLetter(name, link),
    resetLetter: mail.resetLetter(name, link),
    newAddressLetter: mail.newAddressLetter(name, link),
    addressAskedLetter: mail.addressAskedLetter(name, name, link),
    addressChangedLetter: mail.addressChangedLetter(name),
  },
  'sharing/notices/letters.ts': {
    linkTroubleLetter: notices.linkTroubleLetter(linkTrouble),
    trialEndLetter: notices.trialEndLetter({ name, product: 'Premium', org: name, days: 3, price: '$150 a year', page: link }),
  },
  'sharing/orgs/letters.ts': {
    invitationLetter: orgs.invitationLetter(name, name, 'admin', link),
    removedLetter: orgs.removedLetter(name, name),
    transferredLetter: orgs.transferredLetter(name, name, name, link),
    closedLetter: orgs.closedLetter(name, name, name),
  },
  'sharing/spaces/letters.ts': {
    invitationLetter: spaces.invitationLetter({ ...about, inviterName: name, role: 'editor', link }),
    removedLetter: spaces.removedLetter(about),
    endedLetter: spaces.endedLetter(about),
    expiredLetter: spaces.expiredLetter(about),
    unlinkedLetter: spaces.unlinkedLetter(about),
  },
  'billing/subscriptions/letters.ts': {
    purchaseLetter: subscriptions.purchaseLetter(told, 15_000),
    renewedLetter: subscriptions.renewedLetter(told),
    renewalFailedLetter: subscriptions.renewalFailedLetter(told, 7),
    endedLetter: subscriptions.endedLetter(told),
    refundedLetter: subscriptions.refundedLetter(told),
  },
};

test('every kind of mail is covered', async () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync('**/*letters.ts', { cwd: root }).toSorted();
  assert.deepEqual(files, Object.keys(kinds).toSorted());
  for (const file of files) {
    const module = (await import(join(root, file))) as Readonly<Record<string, unknown>>;
    assert.deepEqual(
      Object.keys(kinds[file] ?? {}).toSorted(),
      Object.keys(module)
        .filter((key) => key.endsWith('Letter'))
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
  const letters = Object.values(kinds).flatMap((module) => Object.values(module));
  for (const [index, one] of letters.entries()) {
    await mailer.send({ to: `mara-${index}@example.org`, ...one }, String(index));
    const { source, to } = await server.mailTo(`mara-${index}@example.org`);
    assert.deepEqual(to, [`mara-${index}@example.org`]);
    const [headers = ''] = source.split('\r\n\r\n');
    assert.match(headers, /^Subject: ./m);
    assert.ok(!/^Bcc:/m.test(headers), one.subject);
    assert.match(source, /^Content-Type: text\/plain/m);
    assert.match(source, /^Content-Type: text\/html/m);
  }
  for (const { subject, text, html } of letters) {
    assert.ok(!/[\r\n]/.test(subject), subject);
    assert.ok(!html.includes('<b '), subject);
    assert.ok(!/(src|background)=|url\(|@import/.test(html), 'nothing is fetched');
    assert.match(html, /prefers-color-scheme:dark/);
    assert.ok(!text.includes('undefined') && !html.includes('undefined'), subject);
    assert.match(text, /\n\n-- \nSheaf$/);
  }
});
