import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before } from 'node:test';
import { type AzureBlob, startAzureBlob } from '@sheaf/testbed';
import type { Traits } from '../../../conformance/setting.ts';
import type { Bin } from '../../../core/bin.ts';
import type { Connector, Entry } from '../../../core/connector.ts';
import { binOf, versionsOf } from '../../../core/operations.ts';
import { collect } from '../../../kit/body/body.ts';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseAzureConfig } from '../config.ts';
import { openAzure } from '../connector.ts';
import type { StoreOptions } from '../store.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const MiB = 1024 * 1024;

/** What the conformance suite asks of a container, whatever the account keeps: `reopen` gives another connector to it. */
export const blobTraits = (reopen: () => Promise<Connector>) =>
  ({
    offers: ['listTree'],
    keepsModified: true,
    many: 900,
    hashes: ['md5'],
    copiesBetweenLinks: true,
    resumes: { reopen, partSize: MiB },
    numbered: true,
  }) as const satisfies Partial<Traits>;
/** Options of those connectors: listings of several pages, and parts of that size. */
export const blobOptions: StoreOptions = { pageSize: 400, usualPart: MiB };

export const ask = () => ({ signal: AbortSignal.timeout(30_000) });

/** Starts a simulated account for one test file; fails when it has received requests outside the API description. */
export function startAccountTest(enabled: Parameters<typeof startAzureBlob>[0] = {}) {
  let started: AzureBlob | undefined;
  const opened: Connector[] = [];
  before(async () => {
    started = await startAzureBlob(enabled);
  });
  after(async () => {
    for (const connector of opened) await connector.close();
    await started?.stop();
    started?.assertClean();
  });
  const account = (): AzureBlob => started ?? assert.fail('the simulator is not running');

  const open = (bucketName: string, options: StoreOptions = {}, more: Record<string, string> = {}): Connector => {
    const { endpoint: host, account: key, key: secret } = account();
    const connector = openAzure(parseAzureConfig({ host, bucketName, key, secret, ...more }), { dialer }, options);
    opened.push(connector);
    return connector;
  };
  const newContainer = (): string => {
    const name = randomUUID();
    account().addContainer(name);
    return name;
  };
  /** A link to a container, by default a new one, with its bin and versions. */
  const kept = (container = newContainer(), options: StoreOptions = {}) => {
    const connector = open(container, options);
    const bin = binOf(connector) ?? assert.fail('no bin');
    const versions = versionsOf(connector) ?? assert.fail('no versions');
    return { container, connector, bin, versions };
  };
  return { account, open, newContainer, kept };
}

export const discard = (bin: Bin, path: string): Promise<string> =>
  bin.discard(path, { ...ask(), day: '2026-11-25', key: 'aaaaaaaa', before: () => Promise.resolve() });

export const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(folder, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();
export const textOf = async (connector: Connector, path: string): Promise<string> =>
  (await collect(await connector.read(path, ask()))).toString();

export const write = async (connector: Connector, path: string, text: string): Promise<Entry> =>
  (await connector.write?.(path, Readable.from([Buffer.from(text)]), { ...ask(), ifExists: 'replace', size: Buffer.byteLength(text) })) ??
  assert.fail('cannot write');

/** What is in the bin, with sizes, and on how many pages. */
export async function binOfAll(bin: Bin): Promise<{ readonly items: string[]; readonly pages: number }> {
  const items: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const page = (await bin.listBin?.(cursor, ask())) ?? assert.fail('the bin has no list');
    items.push(...page.items.map(({ path, size }) => `${path} ${size}`));
    cursor = page.cursor;
    if (cursor === undefined) return { items, pages };
  }
}
