import { type Promised, expect } from './promise.ts';

const names = ['a b', '#%&+=?', `quotes ' "`, 'back\\slash', '..dots', '%2F', 'Caf\u00e9', 'Cafe\u0301', '資料', '👩‍👩‍👧', 'x'.repeat(255)];

export const listingPromises: readonly Promised[] = [
  {
    title: 'an empty folder lists nothing',
    async run({ client, at }) {
      expect('the listing', await client.list(at), []);
    },
  },
  {
    title: 'entries tell name, kind, size, time and ETag, alike in listings and alone',
    async run({ client, at }) {
      await client.json('PUT', 'content', { path: `${at}/file` }, { body: 'twelve bytes' });
      await client.json('POST', 'folder', { path: `${at}/folder` });
      const [file, folder] = (await client.list(at)).toSorted((a, b) => String(a['name']).localeCompare(String(b['name'])));
      expect('the file', [file?.['name'], file?.['kind'], file?.['size']], ['file', 'file', 12]);
      expect('the folder', [folder?.['name'], folder?.['kind'], folder?.['size']], ['folder', 'folder', undefined]);
      expect('the time is a number', typeof file?.['modified'], 'number');
      expect('the entry alone', await client.json('GET', 'entry', { path: `${at}/file` }), file);
      const { headers } = await client.ask('GET', 'content', { path: `${at}/file` });
      if (file?.['etag'] !== undefined) expect('the ETag', headers.get('etag'), file['etag']);
    },
  },
  {
    title: 'names come through unharmed',
    async run({ client, at }) {
      for (const name of names) await client.json('PUT', 'content', { path: `${at}/${name}` }, { body: name });
      const listed = (await client.list(at)).map((entry) => String(entry['name']));
      expect('the names', listed.toSorted(), names.toSorted());
      for (const name of names) expect(name, (await client.ask('GET', 'content', { path: `${at}/${name}` })).body.toString(), name);
    },
  },
  {
    title: 'a thousand entries are listed once each',
    async run({ client, at }) {
      for (let index = 0; index < 1000; index += 20)
        await Promise.all(
          Array.from({ length: 20 }, (_, more) => client.json('PUT', 'content', { path: `${at}/${index + more}` }, { body: '' })),
        );
      expect('how many names', new Set((await client.list(at)).map(({ name }) => name)).size, 1000);
    },
  },
  {
    title: 'what is not there is notFound, the listing of a file notAFolder',
    async run({ client, at }) {
      await client.json('PUT', 'content', { path: `${at}/file` }, { body: '' });
      for (const call of ['entry', 'entries', 'content'])
        for (const path of [`${at}/missing`, `${at}/missing/deeper`])
          expect(call, await client.refusal('GET', call, { path }), [404, 'notFound']);
      expect('the listing of a file', await client.refusal('GET', 'entries', { path: `${at}/file` }), [409, 'notAFolder']);
    },
  },
  {
    title: 'paths that are none are badName: dots, empty parts, encoded slashes, NUL',
    async run({ client, at }) {
      for (const raw of ['..', '%2e%2e', '.', `${at}/..`, `${at}/%2e%2e/x`, `${at}//x`, `${at}/`, `${at}/a%2Fb`, `${at}/a%00b`])
        expect(raw, await client.refusal('GET', `entry?path=${raw.startsWith('/') ? raw : `/${raw}`}`), [422, 'badName']);
    },
  },
];
