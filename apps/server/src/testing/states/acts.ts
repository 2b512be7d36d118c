import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acceptOrgInvitation,
  acceptSpaceInvitation,
  addFolder,
  beginTotp,
  completeLinkAuth,
  confirmTotp,
  copyObjects,
  createAppPassword,
  createAuthCode,
  createSchedule,
  createSpace,
  createVault,
  createWeblink,
  deleteObject,
  emailSignup,
  familyCalls,
  invitePeople,
  inviteToOrg,
  inviteToSpace,
  linkUriOf,
  oneTransfer,
  pinPlace,
  premiumTrial,
  products,
  remoteUpdate,
  renameObject,
  setLimits,
  setTransferBandwidth,
  showOrg,
} from '@sheaf/contract';
import { type Dropbox, type Oidc, type OpensshServer, eventually } from '@sheaf/testbed';
import { HOTP, Secret } from 'otpauth';
import { draftOf, s3Info, sftpInfo } from '#/testing/links.ts';
import { tusRequests } from '#/testing/tus.ts';
import type { Caller } from './caller.ts';
import { actLater } from './later-acts.ts';
import type { Known } from './state-file.ts';
import { carried, password, people, s3Secret, sharePassword } from './story.ts';

interface Stage {
  /** Somebody new with a browser. */
  readonly person: () => Caller;
  readonly storage: OpensshServer;
  /** Where the transfer goes: between links of one account a server copies by itself, in no time. */
  readonly other: OpensshServer;
  readonly oidc: Oidc;
  readonly dropbox: Dropbox;
  /** Folder of the mails. */
  readonly outbox: string;
}

/** Uses each feature, and returns while a transfer is under way. What an earlier version lacks is left out. */
export async function act({ person, storage, other, oidc, dropbox, outbox }: Stage): Promise<Known> {
  const [mara, eve, noor] = [person(), person(), person()];
  for (const [one, email] of [
    [mara, people.mara],
    [eve, people.eve],
    [noor, people.noor],
  ] as const)
    await one.ask(emailSignup, { name: email.split('@')[0] ?? '', email, password });
  await mara.ask(premiumTrial, { trialDays: products.premium.trialDays });

  const sftp = ({ host, port, username, password: secret }: OpensshServer, linkName: string) =>
    draftOf({ ...sftpInfo, server: `${host}:${port}`, username, password: secret }, { linkName });
  const nas = await mara.ask(familyCalls.sftp.add, sftp(storage, 'NAS'));
  const attic = await mara.ask(familyCalls.sftp.add, sftp(other, 'Attic'));
  await mara.ask(familyCalls.s3.add, draftOf({ ...s3Info, secret: s3Secret }, { linkName: 'Photos', continueAnyway: true }));
  await authorize(mara, dropbox);
  const olga = person();
  await signInWithGoogle(olga, oidc);
  const at = (path: string): string => linkUriOf(nas.userLinkId, path);
  for (const folder of ['/', '/origin'])
    await mara.ask(remoteUpdate, { linkUri: at(folder), fresh: true, refresh: true, limit: 50, sort: 'name', order: 'asc' });

  const shares = await makeShares(mara, at);
  await workTogether({ mara, eve, outbox, at });
  const secrets = { ...(await makeSecrets(mara, at)), totpSecret: await protect(noor) };
  await changeFiles(mara, at);
  await mara.tryAsk(pinPlace, { linkUri: at('/report.txt'), isFolder: false });
  await mara.tryAsk(setLimits, { shares: 500 });
  await mara.tryAsk(invitePeople, { days: 7 });
  await actLater({ person, mara, eve, olga, known: secrets, nas: { userLinkId: nas.userLinkId, at } });
  return { ...shares, ...secrets, ...(await transferHalf(mara, at, linkUriOf(attic.userLinkId, '/target'))), nas: nas.userLinkId };
}

/** Links Dropbox by its own page, whose grant is stored sealed. */
async function authorize(mara: Caller, { oauth }: Dropbox): Promise<void> {
  const [account] = oauth.accounts;
  assert.ok(account);
  const query = new URLSearchParams({ sourceType: 'Dropbox', providerName: 'Dropbox' });
  const page = await mara.follow(`/linkwebservice?${query.toString()}`);
  const back = new URL(await oauth.visit(page, account));
  await mara.ask(completeLinkAuth, Object.fromEntries(back.searchParams));
}

async function signInWithGoogle(olga: Caller, oidc: Oidc): Promise<void> {
  const back = await oidc.visit(await olga.follow('/login/with/google'), { email: people.olga, name: 'Olga' });
  await olga.follow(back.replace(olga.url, ''));
}

type At = (path: string) => string;

async function makeShares(mara: Caller, at: At): Promise<Known> {
  const idOf = ({ sharelinkurl }: { readonly sharelinkurl: string }): string => sharelinkurl.split('/').at(-1) ?? '';
  const open = await mara.ask(createWeblink, { linkUri: at('/report.txt') });
  const folder = await mara.ask(createWeblink, {
    linkUri: at('/origin'),
    password: sharePassword,
    expirationSeconds: 2_592_000,
    downloadLimit: 9,
  });
  await mara.ask(createWeblink, { linkUri: at('/team'), uploadOnly: true, notifies: true });
  await mara.ask(createWeblink, { linkUri: at('/report.txt'), more: [at('/holiday.txt')] });
  return { openShare: idOf(open), folderShare: idOf(folder) };
}

async function workTogether({ mara, eve, outbox, at }: { mara: Caller; eve: Caller; outbox: string; at: At }): Promise<void> {
  const { space } = await mara.ask(createSpace, { storageLinkUri: at('/team'), spaceName: 'Team' });
  await mara.ask(inviteToSpace, { spaceOid: space.spaceOid, emails: `${people.eve},later@example.org`, role: 'editor' });
  await eve.ask(acceptSpaceInvitation, { token: await mailedToken(outbox, '/invitation/space') });
  const { org } = await mara.ask(showOrg, { trialDays: 7, orgName: 'Acme' });
  await mara.ask(inviteToOrg, { orgOid: org.orgOid, emails: people.eve, role: 'member' });
  await eve.ask(acceptOrgInvitation, { token: await mailedToken(outbox, '/invitation/org') });
}

/** The token of a mail to Eve whose link leads to the page. */
async function mailedToken(outbox: string, page: string): Promise<string> {
  let token: string | undefined;
  await eventually(async () => {
    for (const name of await readdir(outbox).catch(() => [])) {
      const mail = await readFile(join(outbox, name), 'utf8');
      if (mail.startsWith(`To: ${people.eve}\n`)) token ??= mail.split(`${page}#token=`)[1]?.split(/\s/)[0];
    }
    return token !== undefined;
  }, 'the mail has come');
  return token ?? '';
}

async function makeSecrets(mara: Caller, at: At): Promise<Known> {
  const code = await mara.ask(createAuthCode, { name: 'Laptop' });
  const appPassword = await mara.tryAsk(createAppPassword, { name: 'Phone', linkUri: [], rights: 'write' });
  const options = {
    filename_encryption: 'standard',
    directory_name_encryption: true,
    filename_encoding: 'base32',
    suffix: '.bin',
  } as const;
  await mara.tryAsk(createVault, {
    parentLinkUri: at('/'),
    name: 'Vault',
    options: JSON.stringify(options),
    wrapped: 'sealed by a browser',
  });
  if (!appPassword) return { authCode: code.authCode };
  const { username, accessKeyId, secretAccessKey } = appPassword;
  return { authCode: code.authCode, appUser: username, appPassword: appPassword.password, accessKeyId, secretAccessKey };
}

/** Adds an authenticator app; returns its secret. */
async function protect(noor: Caller): Promise<string> {
  const { secret } = await noor.ask(beginTotp, {});
  const counter = Math.floor(Date.now() / 30_000);
  await noor.ask(confirmTotp, { code: HOTP.generate({ secret: Secret.fromBase32(secret), counter, digits: 6 }) });
  return secret;
}

async function changeFiles(mara: Caller, at: At): Promise<void> {
  await mara.ask(addFolder, { parentLinkUri: at('/'), folderName: 'New', conflict: 'fail' });
  await mara.ask(renameObject, { linkUri: at('/holiday.txt'), newName: 'summer.txt' });
  await mara.ask(deleteObject, { linkUri: at('/trash.txt') });
  const begun = await tusRequests(mara).create(32 << 20, { parentLinkUri: at('/New'), name: 'film.mkv' });
  assert.equal(begun.status, 201, await begun.text());
  await mara.ask(setTransferBandwidth, { timetable: 'Mon-Fri 08:00-18:00 512k, 10M', timezone: 'Europe/Vienna' });
  const nightly = { cron: '30 3 * * *', timezone: 'Europe/Vienna', name: 'Nightly', kind: 'mirror' } as const;
  await mara.ask(createSchedule, { ...nightly, linkUri: [at('/origin')], parentLinkUri: at('/New'), conflict: 'fail' });
}

/** Copies slowly, and returns once a file is done and others are not. */
async function transferHalf(mara: Caller, at: At, to: string): Promise<Known> {
  const linkUri = carried.map((name) => at(`/origin/${name}`));
  const { transferId } = await mara.ask(copyObjects, { linkUri, parentLinkUri: to, conflict: 'fail', bytesPerSecond: 1024 });
  const half = async (): Promise<boolean> => {
    const { itemsDone, itemsTotal } = await mara.ask(oneTransfer, { transferId });
    return itemsDone > 0 && itemsDone < itemsTotal;
  };
  await eventually(half, 'some of the files are there');
  return { transferId };
}
