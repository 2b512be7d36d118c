import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { Connector, Entry, Env, HashName } from '@sheaf/connectors';
import { createMemorySource } from '@sheaf/connectors/memory';
import { appError } from '@sheaf/contract';
import type { OpenItem } from '#/files/items/open-item.ts';
import type { TransferRow } from '../rows/store.ts';
import { alreadyThere, prove, proveByService } from './proof.ts';

const signal = AbortSignal.timeout(60_000);
const text = 'the whole file';
const sha256 = (of: string): string => hash('sha256', of, 'hex');

interface Destination {
  /** What the destination keeps of the file. */
  readonly stored?: string;
  readonly tellsSize?: boolean;
  readonly hashes?: readonly HashName[];
  readonly rewrites?: boolean;
  /** What was sent. */
  readonly content?: string;
  /** Lets the destination hash the file itself. */
  readonly digest?: Connector['digest'];
}

/** A source that has the file, and a destination to which it was copied; neither reports hashes unless asked to. */
async function copied({ tellsSize = true, hashes, rewrites, content = text, stored = content, digest }: Destination = {}) {
  const source = createMemorySource({});
  const whole = await source.definition.open({}, {} as Env);
  source.put('/from/letter.docx', content);
  source.put('/to/letter.docx', stored);
  const shown = ({ hashes: told, size, ...entry }: Entry): Entry => ({
    ...entry,
    ...(tellsSize && size !== undefined && { size }),
    ...(hashes && told && { hashes: told }),
  });
  const { hashes: _, ...without } = whole;
  const missing = (error: unknown): never => {
    throw (error as { kind?: string }).kind === 'notFound' ? appError('ITEM_NOT_FOUND', { name: 'letter.docx' }) : error;
  };
  const connector: Connector = {
    ...without,
    ...(hashes && { hashes }),
    ...(digest && { digest }),
    ...(rewrites === true && { rewrites: (name: string) => name.endsWith('.docx') }),
    stat: (path, options) => whole.stat(path, options).then(shown, missing),
  };
  const end: OpenItem = { connector, provider: 'SFTP', name: 'NAS', path: '/' } as never;
  const ends = { from: end, to: end, isSameLink: false };
  const entry = await connector.stat('/to/letter.docx', { signal });
  const provenBy = (verify: TransferRow['verify'], ifExists: 'fail' | 'replace' = 'fail') =>
    prove({
      ends,
      transfer: { verify, bytesTotal: content.length } as TransferRow,
      fromPath: '/from/letter.docx',
      toPath: '/to/letter.docx',
      ifExists,
      bytes: content.length,
      computed: { sha256: sha256(content) },
      source: {},
      made: { entry },
      signal,
    });
  const remains = () =>
    whole.stat('/to/letter.docx', { signal }).then(
      () => true,
      () => false,
    );
  return { provenBy, remains, ends, entry, connector };
}

const damaged = { messageCode: 'CONTENT_DAMAGED' };

for (const verify of ['auto', 'hashes', 'read_back', 'size'] as const)
  test(`a copy that is shorter than what was sent is damaged, and removed, whatever the rule: ${verify}`, async () => {
    const { provenBy, remains } = await copied({ stored: text.slice(0, -1) });
    await assert.rejects(provenBy(verify), damaged);
    assert.equal(await remains(), false);
  });

test('a damaged file that replaced another is not removed', async () => {
  const { provenBy, remains } = await copied({ stored: 'short' });
  await assert.rejects(provenBy('auto', 'replace'), damaged);
  assert.equal(await remains(), true);
});

test('a copy of the right size with other bytes is found by its hash, or by reading it back', async () => {
  const other = text.toUpperCase();
  const hashed = await copied({ stored: other, hashes: ['sha256'] });
  await assert.rejects(hashed.provenBy('auto'), damaged);
  const silent = await copied({ stored: other });
  await assert.rejects(silent.provenBy('auto'), damaged);
});

test('a correct copy is proven by the strongest means that the rule allows', async () => {
  assert.equal((await (await copied({ hashes: ['sha256'] })).provenBy('auto')).proof, 'hash');
  assert.equal((await (await copied()).provenBy('auto')).proof, 'read_back');
  assert.equal((await (await copied()).provenBy('hashes')).proof, 'size');
  assert.equal((await (await copied()).provenBy('size')).proof, 'size');
});

test('a destination that hashes the file itself proves it; other bytes there are not believed, but read back', async () => {
  const content = 'x'.repeat(1024 * 1024);
  const asked: number[] = [];
  const digest =
    (answer: string | undefined): Connector['digest'] =>
    async (_path, { size }) => {
      asked.push(size);
      return answer === undefined ? undefined : { sha256: answer };
    };
  const right = await copied({ content, digest: digest(sha256(content)) });
  for (const verify of ['auto', 'hashes'] as const) {
    const { proof, destinationHash } = await right.provenBy(verify);
    assert.deepEqual([proof, destinationHash], ['hash', `sha256:${sha256(content)}`]);
  }
  assert.equal((await right.provenBy('read_back')).proof, 'read_back');
  assert.equal((await right.provenBy('size')).proof, 'size');
  const elsewhere = await copied({ content, digest: digest(sha256('another file')) });
  assert.equal((await elsewhere.provenBy('auto')).proof, 'read_back');
  const unable = await copied({ content, digest: digest(undefined) });
  assert.equal((await unable.provenBy('auto')).proof, 'read_back');
  const other = await copied({ content, stored: `y${content.slice(1)}`, digest: digest(sha256('other bytes')) });
  await assert.rejects(other.provenBy('auto'), damaged);
  assert.deepEqual(new Set(asked), new Set([content.length]));
  const small = await copied({ digest: digest(sha256(text)) });
  assert.equal((await small.provenBy('auto')).proof, 'read_back');
});

test('a file whose size the destination does not report is read back under every rule', async () => {
  for (const verify of ['auto', 'hashes', 'read_back', 'size'] as const) {
    const right = await copied({ tellsSize: false });
    assert.equal((await right.provenBy(verify)).proof, 'read_back');
    const short = await copied({ tellsSize: false, stored: text.slice(1) });
    await assert.rejects(short.provenBy(verify), damaged);
  }
});

test('another size or hash counts only where the service rewrites files of that type', async () => {
  for (const hashes of [undefined, ['sha256']] as const) {
    const longer = await copied({ stored: `${text} with properties`, rewrites: true, ...(hashes && { hashes }) });
    assert.equal((await longer.provenBy('auto')).proof, 'provider_rewrote');
    assert.equal(await longer.remains(), true);
  }
  const otherBytes = await copied({ stored: text.toUpperCase(), rewrites: true, hashes: ['sha256'] });
  assert.equal((await otherBytes.provenBy('auto')).proof, 'provider_rewrote');
});

test('a rewritten file stored by an interrupted run is recognised by the time that Sheaf gave it', async () => {
  const { ends, entry, connector } = await copied({ stored: `${text} with properties`, rewrites: true });
  const { modified } = await connector.stat('/from/letter.docx', { signal });
  const found = (made: Entry) => alreadyThere(ends, '/from/letter.docx', '/to/letter.docx', made, signal);
  assert.equal((await found({ ...entry, modified: modified ?? 0 }))?.proof, 'provider_rewrote');
  assert.equal(await found({ ...entry, modified: (modified ?? 0) + 60 }), undefined);
});

test('a copy that the service made is read back where the user wants it, and removed when its bytes differ', async () => {
  const proven = async (stored: string, verify: TransferRow['verify']) => {
    const { ends, entry, connector, remains } = await copied({ stored });
    const original = await connector.stat('/from/letter.docx', { signal });
    const places = { fromPath: '/from/letter.docx', toPath: '/to/letter.docx' };
    return { proof: proveByService({ ends, transfer: { verify }, ...places, original, entry, signal }), remains };
  };
  assert.equal((await (await proven(text, 'auto')).proof).proof, 'server_side');
  assert.equal((await (await proven(text, 'read_back')).proof).proof, 'read_back');
  const other = await proven(text.toUpperCase(), 'read_back');
  await assert.rejects(other.proof, damaged);
  assert.equal(await other.remains(), false);
});

test('a copy by the service whose bytes the destination changes is reported as such, and stays', async () => {
  const { ends, entry, connector, remains } = await copied({ stored: `${text} with properties`, hashes: ['sha256'], rewrites: true });
  const original = await connector.stat('/from/letter.docx', { signal });
  const places = { fromPath: '/from/letter.docx', toPath: '/to/letter.docx' };
  const { proof } = await proveByService({ ends, transfer: { verify: 'auto' }, ...places, original, entry, signal });
  assert.equal(proof, 'provider_rewrote');
  assert.equal(await remains(), true);
});
