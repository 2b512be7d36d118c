import { encodePath } from './client.ts';
import { type Promised, expect } from './promise.ts';

const digits = '0123456789';

export const bodyPromises: readonly Promised[] = [
  {
    title: 'what is written is read again, and an empty file too',
    async run({ client, at }) {
      const bytes = Buffer.alloc(3_000_000, 'the quick brown fox ');
      const entry = await client.json('PUT', 'content', { path: `${at}/file` }, { body: bytes });
      expect('the new entry', [entry['name'], entry['kind'], entry['size']], ['file', 'file', bytes.length]);
      expect('the bytes', (await client.ask('GET', 'content', { path: `${at}/file` })).body.equals(bytes), true);
      await client.json('PUT', 'content', { path: `${at}/file` }, { body: '' });
      expect('the size of the empty file', (await client.ask('GET', 'content', { path: `${at}/file` })).body.length, 0);
    },
  },
  {
    title: 'a body without a length is stored whole',
    async run({ client, at }) {
      const body = ReadableStream.from([Buffer.from('one '), Buffer.from('two')]) as ReadableStream<Uint8Array>;
      expect('the size', (await client.json('PUT', 'content', { path: `${at}/file` }, { body }))['size'], 7);
      expect('the bytes', (await client.ask('GET', 'content', { path: `${at}/file` })).body.toString(), 'one two');
    },
  },
  {
    title: 'a range of bytes is answered 206 with just these, one past the end is badRange',
    async run({ client, at }) {
      const path = `${at}/digits`;
      await client.json('PUT', 'content', { path }, { body: digits });
      for (const [range, bytes, told] of [
        ['bytes=4-', '456789', 'bytes 4-9/10'],
        ['bytes=0-0', '0', 'bytes 0-0/10'],
        ['bytes=7-999', '789', 'bytes 7-9/10'],
      ] as const) {
        const { status, body, headers } = await client.ask('GET', 'content', { path }, { headers: { range } });
        expect(range, [status, body.toString(), headers.get('content-range')], [206, bytes, told]);
      }
      expect('a range past the end', await client.refusal('GET', 'content', { path }, { headers: { range: 'bytes=10-' } }), [
        416,
        'badRange',
      ]);
    },
  },
  {
    title: 'many small files come in one answer, in the order asked; one that is missing or has another size ends it',
    needs: ['readMany'],
    async run({ client, at }) {
      const sizes = { one: 3, 'two & more': 70_000, empty: 0, last: 500_000 };
      const files = Object.entries(sizes).map(([name, size]) => ({ path: `${at}/${name}`, bytes: Buffer.alloc(size, name) }));
      for (const { path, bytes } of files) await client.json('PUT', 'content', { path }, { body: bytes });
      const asked = files.toReversed();
      const lines = (of: typeof files): string => of.map(({ path, bytes }) => `${bytes.length} ${encodePath(path)}\n`).join('');
      const { status, body } = await client.ask('POST', 'contents', {}, { body: lines(asked) });
      expect('the answer', [status, body.equals(Buffer.concat(asked.map(({ bytes }) => bytes)))], [200, true]);
      const [first] = files;
      const missing = `${lines(files)}3 ${encodePath(`${at}/missing`)}\n`;
      const longer = `${lines(files)}4 ${encodePath(first?.path ?? '')}\n`;
      for (const [what, wrong] of [
        ['with a missing file', missing],
        ['with another size', longer],
      ] as const) {
        const [outcome] = await Promise.allSettled([client.ask('POST', 'contents', {}, { body: wrong })]);
        const isWhole = outcome?.status === 'fulfilled' && outcome.value.status < 300;
        expect(`a request ${what} answered in full`, isWhole, false);
      }
      const many = Array.from({ length: 257 }, () => `3 ${encodePath(first?.path ?? '')}\n`).join('');
      expect('257 files', await client.refusal('POST', 'contents', {}, { body: many }), [405, 'unsupported']);
      expect('a large file', await client.refusal('POST', 'contents', {}, { body: `1048577 ${encodePath(at)}` }), [405, 'unsupported']);
    },
  },
  {
    title: 'reading a folder and writing over one is isAFolder',
    async run({ client, at }) {
      expect('reading', await client.refusal('GET', 'content', { path: at }), [409, 'isAFolder']);
      expect('writing', await client.refusal('PUT', 'content', { path: at }, { body: 'x' }), [409, 'isAFolder']);
    },
  },
  {
    title: 'If-None-Match: * never replaces, and lets exactly one of many writers win',
    async run({ client, at }) {
      const once = { 'if-none-match': '*' };
      const write = (path: string, body: string) => client.ask('PUT', 'content', { path }, { body, headers: once });
      const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => write(`${at}/race`, String(index).repeat(100_000))));
      const winners = answers.flatMap(({ status }, index) => (status < 300 ? [index] : []));
      expect('how many win', winners.length, 1);
      const { body } = await client.ask('GET', 'content', { path: `${at}/race` });
      expect('the bytes are those of the winner', body.equals(Buffer.from(String(winners[0]).repeat(100_000))), true);
      const late = await client.refusal('PUT', 'content', { path: `${at}/race` }, { body: 'late', headers: once });
      expect('a late writer', late, [412, 'alreadyExists']);
      expect('over a folder', (await client.refusal('PUT', 'content', { path: at }, { body: '', headers: once }))[1], 'alreadyExists');
    },
  },
  {
    title: 'X-Sheaf-Modified becomes the time of the file',
    async run({ client, at }) {
      const headers = { 'x-sheaf-modified': '1000000000' };
      const entry = await client.json('PUT', 'content', { path: `${at}/file` }, { body: 'x', headers });
      expect('the time', entry['modified'], 1_000_000_000);
    },
  },
  {
    title: 'writing into a folder that is not there is notFound',
    async run({ client, at }) {
      expect('the refusal', await client.refusal('PUT', 'content', { path: `${at}/missing/file` }, { body: 'x' }), [404, 'notFound']);
    },
  },
  {
    title: 'an upload that breaks off leaves the old file and nothing beside it',
    async run({ client, at }) {
      const path = `${at}/file`;
      await client.json('PUT', 'content', { path }, { body: 'the old one' });
      const body = ReadableStream.from(breaking()) as ReadableStream<Uint8Array>;
      const [outcome] = await Promise.allSettled([client.ask('PUT', 'content', { path }, { body })]);
      expect('the upload', outcome?.status, 'rejected');
      expect('the file', (await client.ask('GET', 'content', { path })).body.toString(), 'the old one');
      expect(
        'the folder',
        (await client.list(at)).map(({ name }) => name),
        ['file'],
      );
    },
  },
];

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(500_000);
  throw new Error('the upload breaks off');
}
