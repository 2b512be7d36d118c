import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { multipartForm } from './multipart-form.ts';

const file = (more: object = {}) => ({
  field: 'file',
  name: 'a "b".txt',
  body: Readable.from([Buffer.from('some '), Buffer.from('bytes')]),
  ...more,
});

test('a form has its fields before its file, and announces its length', async () => {
  const form = multipartForm({ plain: 'ü', attributes: { json: { id: 1 } } }, file({ size: 10, type: 'text/plain' }));
  const [, boundary = ''] = /^multipart\/form-data; boundary=(.+)$/.exec(form.headers['content-type']) ?? [];
  const sent = await text(form.body);
  assert.equal(form.size, Buffer.byteLength(sent));
  assert.deepEqual(sent.split(`--${boundary}`), [
    '',
    '\r\nContent-Disposition: form-data; name="plain"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nü\r\n',
    '\r\nContent-Disposition: form-data; name="attributes"\r\nContent-Type: application/json\r\n\r\n{"id":1}\r\n',
    '\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22.txt"\r\nContent-Type: text/plain\r\n\r\nsome bytes\r\n',
    '--\r\n',
  ]);
});

test('a form with a file of unknown length has an unknown length', () => {
  assert.equal(multipartForm({}, file()).size, undefined);
});

test('a file whose name would end its line, or be ambiguous, is rejected', () => {
  for (const name of ['two\r\nlines', 'tab\t', 'C:\\file']) assert.throws(() => multipartForm({}, file({ name })), { kind: 'badName' });
});

test('an abandoned form releases its file', async () => {
  const sent = file();
  const { body } = multipartForm({}, sent);
  body.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(sent.body.destroyed);
});
