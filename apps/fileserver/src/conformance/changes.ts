import { type Promised, type Trial, expect } from './promise.ts';

/** A file `file`, a folder `folder` with a file `inside`, and another folder `other`. */
async function furnish({ client, at }: Trial): Promise<void> {
  await client.json('PUT', 'content', { path: `${at}/file` }, { body: 'bytes' });
  await client.json('POST', 'folder', { path: `${at}/folder` });
  await client.json('PUT', 'content', { path: `${at}/folder/inside` }, { body: 'kept' });
  await client.json('POST', 'folder', { path: `${at}/other` });
}

const namesIn = async ({ client }: Trial, path: string): Promise<readonly string[]> =>
  (await client.list(path)).map((entry) => String(entry['name'])).toSorted();
const textOf = async ({ client }: Trial, path: string): Promise<string> => (await client.ask('GET', 'content', { path })).body.toString();

const relocation = (call: 'move' | 'copy'): readonly Promised[] => [
  {
    title: `${call} takes a file, and a folder with all it holds`,
    needs: [call],
    async run(trial) {
      const { client, at } = trial;
      await furnish(trial);
      expect('the entry', (await client.json('POST', call, { path: `${at}/file`, to: `${at}/other/file 2` }))['name'], 'file 2');
      expect('the entry', (await client.json('POST', call, { path: `${at}/folder`, to: `${at}/folder 2` }))['kind'], 'folder');
      expect('the file', await textOf(trial, `${at}/other/file 2`), 'bytes');
      expect('the file in the folder', await textOf(trial, `${at}/folder 2/inside`), 'kept');
      expect('what is there', await namesIn(trial, at), call === 'copy' ? ['file', 'folder', 'folder 2', 'other'] : ['folder 2', 'other']);
    },
  },
  {
    title: `${call} never replaces, not even an empty folder`,
    needs: [call],
    async run(trial) {
      const { client, at } = trial;
      await furnish(trial);
      for (const [from, to] of [
        ['file', 'folder/inside'],
        ['file', 'other'],
        ['folder', 'file'],
        ['folder', 'other'],
        ['file', 'file'],
      ] as const)
        expect(`${from} to ${to}`, await client.refusal('POST', call, { path: `${at}/${from}`, to: `${at}/${to}` }), [
          412,
          'alreadyExists',
        ]);
      expect('what is there', await namesIn(trial, at), ['file', 'folder', 'other']);
      expect('the file', await textOf(trial, `${at}/folder/inside`), 'kept');
    },
  },
  {
    title: `${call} of what is not there is notFound, of a folder into itself forbidden`,
    needs: [call],
    async run(trial) {
      const { client, at } = trial;
      await furnish(trial);
      expect('missing', await client.refusal('POST', call, { path: `${at}/missing`, to: `${at}/new` }), [404, 'notFound']);
      expect('no folder', await client.refusal('POST', call, { path: `${at}/file`, to: `${at}/missing/new` }), [404, 'notFound']);
      expect('itself', await client.refusal('POST', call, { path: `${at}/folder`, to: `${at}/folder/new` }), [403, 'forbidden']);
    },
  },
];

export const changePromises: readonly Promised[] = [
  {
    title: 'a folder is made once: over anything it is alreadyExists, without its parent notFound',
    async run(trial) {
      const { client, at } = trial;
      await furnish(trial);
      for (const name of ['file', 'folder'])
        expect(name, await client.refusal('POST', 'folder', { path: `${at}/${name}` }), [412, 'alreadyExists']);
      expect('no parent', await client.refusal('POST', 'folder', { path: `${at}/missing/new` }), [404, 'notFound']);
      expect('the folder', await namesIn(trial, `${at}/folder`), ['inside']);
    },
  },
  ...relocation('move'),
  ...relocation('copy'),
  {
    title: 'DELETE removes a file, and a folder with all it holds, and nothing else',
    async run(trial) {
      const { client, at } = trial;
      await furnish(trial);
      for (const name of ['file', 'folder']) expect(name, (await client.ask('DELETE', 'entry', { path: `${at}/${name}` })).status, 204);
      expect('what is there', await namesIn(trial, at), ['other']);
      expect('again', await client.refusal('DELETE', 'entry', { path: `${at}/file` }), [404, 'notFound']);
      expect('the root', await client.refusal('DELETE', 'entry', { path: '/' }), [403, 'forbidden']);
    },
  },
];
