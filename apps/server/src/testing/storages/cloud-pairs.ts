import type { TestContext } from 'node:test';
import type { Env } from '@sheaf/connectors';
import { startDropbox } from '@sheaf/testbed';

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

interface Simulator {
  readonly requests: readonly { readonly operation?: string | undefined }[];
  stop(): Promise<void>;
  assertClean(): void;
}

function counting(t: TestContext, simulator: Simulator, operation: RegExp): () => number {
  t.after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });
  return () => simulator.requests.filter((request) => operation.test(request.operation ?? '')).length;
}

/** Two accounts of Dropbox. */
export async function dropboxPair(t: TestContext): Promise<CloudPair> {
  const dropbox = await startDropbox();
  const downloads = counting(t, dropbox, /download/);
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
