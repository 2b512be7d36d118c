import { createHash, randomUUID } from 'node:crypto';
import { type Promised, type Trial, expect } from './promise.ts';

const steps = ['beginUpload', 'sendPart', 'uploadState', 'finishUpload', 'abandonUpload'];
const bytes = Buffer.from('0123456789');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const once = { 'if-none-match': '*' };

async function begun({ client }: Trial, path: string): Promise<string> {
  return String((await client.json('POST', 'upload', { path }))['upload']);
}

const send = ({ client }: Trial, path: string, upload: string, from: number, to = bytes.length) =>
  client.json('PUT', 'part', { path, upload, offset: String(from) }, { body: bytes.subarray(from, to) });

const names = async ({ client, at }: Trial) => (await client.list(at)).map(({ name }) => name);

/** Uploads in parts, and hashes. */
export const uploadPromises: readonly Promised[] = [
  {
    title: 'an upload in parts is hidden until it is finished, and says how far it is',
    needs: steps,
    async run(trial) {
      const { client, at } = trial;
      const path = `${at}/file`;
      await client.json('PUT', 'content', { path }, { body: 'the old one' });
      const upload = await begun(trial, path);
      expect('the first part', await send(trial, path, upload, 0, 4), { offset: 4 });
      expect('the state', await client.json('GET', 'upload', { path, upload }), { offset: 4 });
      expect('a part sent again', await send(trial, path, upload, 2, 6), { offset: 6 });
      expect('the rest', await send(trial, path, upload, 6), { offset: 10 });
      expect('the file before', (await client.ask('GET', 'content', { path })).body.toString(), 'the old one');
      expect('what is shown', await names(trial), ['file']);
      const headers = { 'x-sheaf-modified': '1000000000' };
      const entry = await client.json('POST', 'finish', { path, upload, size: '10' }, { headers });
      expect('the entry', [entry['name'], entry['size'], entry['modified']], ['file', 10, 1_000_000_000]);
      expect('the file', (await client.ask('GET', 'content', { path })).body.toString(), bytes.toString());
      expect('what is shown', await names(trial), ['file']);
      for (const [method, call] of [
        ['GET', 'upload'],
        ['POST', 'finish'],
      ] as const)
        expect('a finished upload', await client.refusal(method, call, { path, upload, size: '10' }), [404, 'notFound']);
    },
  },
  {
    title: 'a part that leaves a hole is badRange, an upload with bytes missing sizeDiffers, and it goes on',
    needs: steps,
    async run(trial) {
      const { client, at } = trial;
      const path = `${at}/file`;
      const upload = await begun(trial, path);
      await send(trial, path, upload, 0, 4);
      expect('a hole', await client.refusal('PUT', 'part', { path, upload, offset: '5' }, { body: 'x' }), [416, 'badRange']);
      expect('a short file', await client.refusal('POST', 'finish', { path, upload, size: '10' }), [400, 'sizeDiffers']);
      await send(trial, path, upload, 4);
      expect('the size', (await client.json('POST', 'finish', { path, upload, size: '10' }))['size'], 10);
    },
  },
  {
    title: 'an upload that must not replace is alreadyExists at its beginning and at its end, and remains',
    needs: steps,
    async run(trial) {
      const { client, at } = trial;
      const path = `${at}/file`;
      const upload = await begun(trial, path);
      await send(trial, path, upload, 0);
      await client.json('PUT', 'content', { path }, { body: 'meanwhile' });
      expect('the beginning', await client.refusal('POST', 'upload', { path }, { headers: once }), [412, 'alreadyExists']);
      const finish = { path, upload, size: '10' };
      expect('the end', await client.refusal('POST', 'finish', finish, { headers: once }), [412, 'alreadyExists']);
      expect('the file', (await client.ask('GET', 'content', { path })).body.toString(), 'meanwhile');
      expect('the size', (await client.json('POST', 'finish', finish))['size'], 10);
    },
  },
  {
    title: 'an upload that is ended is gone, and ending it again is no failure',
    needs: steps,
    async run(trial) {
      const { client, at } = trial;
      const path = `${at}/file`;
      const upload = await begun(trial, path);
      await send(trial, path, upload, 0, 4);
      for (let round = 0; round < 2; round++) expect('the end', (await client.ask('DELETE', 'upload', { path, upload })).status, 204);
      expect('its state', await client.refusal('GET', 'upload', { path, upload }), [404, 'notFound']);
      expect('a part', await client.refusal('PUT', 'part', { path, upload, offset: '4' }, { body: 'x' }), [404, 'notFound']);
      for (const unknown of [randomUUID(), '../../file'])
        expect('an upload of nobody', await client.refusal('GET', 'upload', { path, upload: unknown }), [404, 'notFound']);
      expect('what is shown', await names(trial), []);
    },
  },
  {
    title: 'X-Sheaf-Hash answers the SHA-256 of what was stored, and refuses other bytes as damaged',
    needs: ['hash'],
    async run({ client, at }) {
      const path = `${at}/file`;
      const stored = await client.json('PUT', 'content', { path }, { body: bytes, headers: { 'x-sheaf-hash': 'sha256' } });
      expect('the hash', stored['hashes'], { sha256 });
      const other = { headers: { 'x-sheaf-hash': `sha256=${sha256}` } };
      expect('other bytes', await client.refusal('PUT', 'content', { path }, { body: 'other', ...other }), [400, 'damaged']);
      expect('the file', (await client.ask('GET', 'content', { path })).body.toString(), bytes.toString());
      expect('the hash unasked', (await client.json('GET', 'entry', { path }))['hashes'], undefined);
    },
  },
  {
    title: 'the hash of an upload in parts is checked before its file appears',
    needs: [...steps, 'hash'],
    async run(trial) {
      const { client, at } = trial;
      const path = `${at}/file`;
      const upload = await begun(trial, path);
      await send(trial, path, upload, 0);
      const finish = { path, upload, size: '10' };
      const wrong = { headers: { 'x-sheaf-hash': `sha256=${'0'.repeat(64)}` } };
      expect('another hash', await client.refusal('POST', 'finish', finish, wrong), [400, 'damaged']);
      expect('what is shown', await names(trial), []);
      const entry = await client.json('POST', 'finish', finish, { headers: { 'x-sheaf-hash': `sha256=${sha256}` } });
      expect('the hash', entry['hashes'], { sha256 });
    },
  },
];
