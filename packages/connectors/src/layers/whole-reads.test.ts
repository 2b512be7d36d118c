import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Body, Connector, Entry, ReadOptions } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import { collect } from '../kit/body/body.ts';
import { conclude } from './conclude.ts';
import { layered } from './layered.ts';
import { limit } from './limit.ts';
import { wholeReads } from './whole-reads.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const file = Buffer.from('0123456789abcdef');
const all = file.toString();

/** A source's answer to one read: its metadata, and the bytes until it ends or breaks off. */
interface Answer {
  readonly told?: Partial<Entry>;
  /** The announced length of the body. */
  readonly size?: number;
  readonly bytes?: string;
  readonly breaks?: ConnectorError;
}

/**
 * A source that answers each read with the next of these answers, repeating the last one; `stat` reports the given entry. Serves one call
 * at a time.
 */
function source(answers: readonly Answer[], stat: Partial<Entry> = { size: file.length }) {
  const asked: string[] = [];
  const connector: Connector = {
    // eslint-disable-next-line require-yield -- it has no entries
    async *list() {},
    async stat() {
      asked.push('stat');
      return { name: 'a', kind: 'file', ...stat };
    },
    async read(_path, { range }: ReadOptions): Promise<Body> {
      const {
        told = {},
        size,
        bytes = '',
        breaks,
      } = answers[Math.min(asked.filter((what) => what !== 'stat').length, answers.length - 1)] ?? {};
      asked.push(range ? `${range.start}-${range.end ?? ''}` : 'all');
      return {
        ...(size !== undefined && { size }),
        entry: told,
        async drain(take) {
          for (const piece of bytes.length > 16 ? [bytes] : bytes) await take(Buffer.from(piece));
          if (breaks) throw breaks;
        },
        cancel: () => undefined,
      };
    },
    close: () => Promise.resolve(),
  };
  return { asked, connector: wholeReads(layered(connector, limit(1, { maxWait: 5_000 }), conclude()), { delay: 1 }) };
}

const read = async ({ connector }: { connector: Connector }, more: Partial<ReadOptions> = {}) =>
  (await collect(await connector.read('/a', { ...ask(), ...more }))).toString();
const cut = new ConnectorError('interrupted', 'cut');
const tagged = { size: 16, etag: '"1"' };

describe('a body that does not match the file', () => {
  const known = { size: 16 };
  test('passes at the known length, and nothing else is requested', async () => {
    for (const answer of [{ told: { size: 16 }, size: 16, bytes: all }, { bytes: all }]) {
      const at = source([answer]);
      assert.equal(await read(at, { known }), all);
      assert.deepEqual(at.asked, ['all']);
    }
  });

  test('fails if it has unknown length and ends early', async () => {
    for (const more of [{ known }, {}]) await assert.rejects(read(source([{ bytes: '01234' }]), more), { kind: 'interrupted' });
  });

  test('fails if it announces another length, though all of it arrives', async () => {
    await assert.rejects(read(source([{ told: { size: 5 }, size: 5, bytes: '01234' }]), { known }), { kind: 'unexpected' });
  });

  test('fails if it is shorter or longer than it announces', async () => {
    await assert.rejects(read(source([{ size: 16, bytes: '01234' }])), { kind: 'interrupted' });
    await assert.rejects(read(source([{ size: 5, bytes: all }])), { kind: 'unexpected' });
  });

  test('fails if it is a page in place of the file, recognised by its size', async () => {
    const page = { told: { size: 5, mimeType: 'text/html; charset=utf-8' }, size: 5, bytes: 'login' };
    const instead = { kind: 'unexpected', details: { problem: 'page' } };
    await assert.rejects(read(source([page])), instead);
    const unsized = { told: { mimeType: 'text/html' }, bytes: 'login' };
    for (const more of [{ known }, {}, { known, range: { start: 4 } }, { range: { start: 2, end: 9 } }]) {
      const taken: Uint8Array[] = [];
      const body = await source([unsized]).connector.read('/a', { ...ask(), ...more });
      await assert.rejects(
        body.drain((chunk) => void taken.push(chunk)),
        instead,
      );
      assert.deepEqual(taken, [], 'nothing of the page is passed on');
    }
    await assert.rejects(read(source([{ ...unsized, bytes: 'login'.repeat(5) }]), { known }), instead, 'a longer page');
    const at = source([{ ...page, bytes: '<a>', size: 3, told: { mimeType: 'text/html', size: 3 } }], { size: 3 });
    assert.equal(await read(at), '<a>');
  });

  test('passes if it has the length of the file, although its type is that of a page', async () => {
    const told = { mimeType: 'text/html; charset=utf-8' };
    assert.equal(await read(source([{ told, bytes: all }]), { known }), all);
    assert.equal(await read(source([{ told, bytes: all }]), { known: { size: 5 } }), all, 'a newer version');
    const long = 'x'.repeat(300_000);
    assert.equal(await read(source([{ told, bytes: long }], { size: long.length }), { known: { size: long.length } }), long);
    await assert.rejects(read(source([{ told, bytes: long }], { size: 16 }), { known }), { kind: 'unexpected' });
  });

  test('may be a newer version, which the source confirms when asked', async () => {
    for (const told of [{ size: 16 }, {}]) assert.equal(await read(source([{ told, bytes: all }]), { known: { size: 5 } }), all);
  });

  test('passes where the source never reports a size', async () => {
    assert.equal(await read(source([{ bytes: '01234' }], {})), '01234');
  });

  test('is compared for a range as well', async () => {
    const range = { start: 4, end: 8 };
    assert.equal(await read(source([{ told: { size: 16 }, bytes: '4567' }]), { range, known }), '4567');
    await assert.rejects(read(source([{ told: { size: 16 }, bytes: '45' }]), { range, known }), { kind: 'interrupted' });
    await assert.rejects(read(source([{ told: { size: 20 }, size: 4, bytes: '4567' }]), { range, known }), { kind: 'unexpected' });
  });
});

describe('a body that is interrupted', () => {
  test('is resumed where it ended, three times', async () => {
    const at = source([
      { told: tagged, size: 16, bytes: '0123', breaks: cut },
      { told: tagged, size: 12, bytes: '45', breaks: new ConnectorError('timeout', 'silent') },
      { told: tagged, size: 10, bytes: '6', breaks: cut },
      { told: tagged, size: 9, bytes: '789abcdef' },
    ]);
    assert.equal(await read(at), all);
    assert.deepEqual(at.asked, ['all', '4-', '6-', '7-']);
    const part = source([
      { told: tagged, size: 8, bytes: '4567', breaks: cut },
      { told: tagged, size: 4, bytes: '89ab' },
    ]);
    assert.equal(await read(part, { range: { start: 4, end: 12 } }), '456789ab');
    assert.deepEqual(part.asked, ['4-12', '8-12']);
  });

  test('is resumed any number of times while megabytes arrive in between', async () => {
    const mebibyte = 'x'.repeat(1024 * 1024);
    const told = { size: 7 * mebibyte.length, etag: '"1"' };
    const broken = { told, bytes: mebibyte, breaks: cut };
    const at = source([...Array.from({ length: 6 }, () => broken), { told, bytes: mebibyte }]);
    assert.equal((await read(at)).length, told.size);
    assert.equal(at.asked.length, 7);
  });

  test('is reported as interrupted the fourth time', async () => {
    const at = source([{ told: tagged, size: 16, bytes: '0', breaks: cut }]);
    await assert.rejects(read(at), cut);
    assert.equal(at.asked.length, 4);
  });

  test('is not continued with another file', async () => {
    const others = [{ size: 16, etag: '"2"' }, { size: 17, etag: '"1"' }, { size: 16, modified: 2 }, {}];
    for (const told of others) {
      const first = told.etag === undefined ? { size: 16, modified: 1 } : tagged;
      const at = source([
        { told: first, size: 16, bytes: '0123', breaks: cut },
        { told, bytes: '456789abcdef' },
      ]);
      await assert.rejects(read(at), cut);
    }
    const dated = { size: 16, modified: 1 };
    assert.equal(
      await read(
        source([
          { told: dated, bytes: '0123', breaks: cut },
          { told: dated, bytes: '456789abcdef' },
        ]),
      ),
      all,
    );
  });

  test('is not retried for a permanent reason', async () => {
    const at = source([{ told: tagged, bytes: '0', breaks: new ConnectorError('damaged', 'wrong hash') }]);
    await assert.rejects(read(at), { kind: 'damaged' });
    assert.deepEqual(at.asked, ['all']);
  });

  test('is over if its consumer failed or cancelled', async () => {
    const at = source([{ told: tagged, size: 16, bytes: all }]);
    const gone = new ConnectorError('interrupted', 'the client went away');
    for (const take of [
      () => Promise.reject(gone),
      (): undefined => {
        throw gone;
      },
    ])
      await assert.rejects((await at.connector.read('/a', ask())).drain(take), gone);
    assert.deepEqual(at.asked, ['all', 'all']);
    const broken = source([{ told: tagged, size: 16, bytes: '0', breaks: cut }]);
    const body = await broken.connector.read('/a', ask());
    await assert.rejects(
      body.drain(() => body.cancel() as undefined),
      cut,
    );
    assert.deepEqual(broken.asked, ['all']);
  });
});
