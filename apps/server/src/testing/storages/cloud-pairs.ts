import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Env } from '@sheaf/connectors';
import { startDropbox, startGoogle, startMicrosoft } from '@sheaf/testbed';

/** An account at a simulated provider, and what its link consists of. */
export interface CloudAccount {
  readonly accessToken: string;
  readonly info: Readonly<Record<string, string>>;
}

/** Two links of one provider, and a file that it copies from one to the other. */
export interface CloudPair {
  readonly provider: string;
  readonly app: Env['app'];
  readonly from: CloudAccount;
  readonly to: CloudAccount;
  /** A file of the first. */
  readonly file: string;
  /** A folder of the second. */
  readonly folder: string;
  /** Number of requests that the provider has answered with bytes of a file. */
  downloads(): number;
  /** Makes the provider refuse to copy. */
  refuse(): void;
}

interface SlowPair extends CloudPair {
  /** From now on each copy takes so many ms; returns the number of copies that the provider has been asked for since. */
  slow(ms: number): () => number;
}

interface Simulator {
  readonly faults: Awaited<ReturnType<typeof startDropbox>>['faults'];
  stop(): Promise<void>;
  assertClean(): void;
}

/** Counts requests whose method and address match. */
function counting(t: TestContext, simulator: Simulator, bytes: RegExp): () => number {
  t.after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });
  const seen = simulator.faults.next(bytes, Infinity, { kind: 'slow', ms: 0 });
  return () => seen.struck;
}

/** Two accounts of Dropbox. */
export async function dropboxPair(t: TestContext): Promise<CloudPair> {
  const dropbox = await startDropbox();
  const downloads = counting(t, dropbox, /files\/download/);
  const accountOf = (email: string): CloudAccount => {
    const { id: accountId } = dropbox.people.all.map(({ account }) => account).find((account) => account.email === email) ?? { id: '' };
    const scopes = ['account_info.read', 'files.metadata.read', 'files.content.read', 'files.content.write'];
    return { accessToken: dropbox.oauth.grant(email, scopes).accessToken, info: { accountId, email } };
  };
  const error = { '.tag': 'no_permission' };
  const reply = { status: 409, json: { error_summary: 'no_permission/..', error } };
  return {
    provider: 'Dropbox',
    app: dropbox.app,
    from: accountOf('mara@example.org'),
    to: accountOf('noor@example.org'),
    file: '/Welcome.txt',
    folder: '/Plans',
    downloads,
    refuse: () => void dropbox.faults.next('POST /2/files/copy_reference/save', 1, { kind: 'reply', reply }),
  };
}

/** Two accounts of Google Drive, of which the second may read the file. */
export async function drivePair(t: TestContext): Promise<CloudPair> {
  const google = await startGoogle({ client: { id: 'sheaf', secret: 'drive-secret', redirectUris: [] } });
  const downloads = counting(t, google, /alt=media/);
  const [mara, theo] = google.oauth.accounts;
  assert.ok(mara && theo);
  google.put.file(mara, 'Welcome.txt', 'for both').readers = [theo.id];
  const accountOf = ({ id: accountId, email }: typeof mara): CloudAccount => ({
    accessToken: google.oauth.grant(email, ['https://www.googleapis.com/auth/drive']).accessToken,
    info: { accountId, email },
  });
  const errors = [{ domain: 'global', reason: 'cannotCopyFile', message: 'This file cannot be copied by the user.' }];
  const reply = { status: 403, json: { error: { code: 403, message: 'This file cannot be copied by the user.', errors } } };
  return {
    provider: 'GoogleDrive',
    app: google.app,
    from: accountOf(mara),
    to: accountOf(theo),
    file: '/Welcome.txt',
    folder: '/',
    downloads,
    refuse: () => void google.faults.next('POST /drive/v3/files/{fileId}/copy', 1, { kind: 'reply', reply }),
  };
}

/** Two accounts of OneDrive for Business in one organisation, of which each may read the other's drive. */
export async function oneDrivePair(t: TestContext): Promise<SlowPair> {
  const microsoft = await startMicrosoft();
  const downloads = counting(t, microsoft, /\/content\b|\/host\/download/);
  const { noor, otto } = microsoft.people;
  const accountOf = ({ id, email }: { readonly id: string; readonly email: string }): CloudAccount => ({
    accessToken: microsoft.organizations.grant(id).accessToken,
    info: { accountId: id, account: email },
  });
  const reply = { status: 403, json: { error: { code: 'accessDenied', message: 'Access denied' } } };
  return {
    provider: 'OneDriveForBusiness',
    app: microsoft.apps.OneDriveForBusiness,
    from: accountOf(noor),
    to: accountOf(otto),
    file: '/Documents/Welcome.txt',
    folder: '/Pictures',
    downloads,
    refuse: () => void microsoft.faults.next(/^POST .*\/copy/, 1, { kind: 'reply', reply }),
    slow(ms) {
      microsoft.world.manners.copyTakes = ms;
      const seen = microsoft.faults.next(/^POST .*\/copy/, Infinity, { kind: 'slow', ms: 0 });
      return () => seen.struck;
    },
  };
}
