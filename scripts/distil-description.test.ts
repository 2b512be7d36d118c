import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

function distil(t: TestContext, description: object, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-distil-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [input, out] = [join(folder, 'in.json'), join(folder, 'out.json')];
  writeFileSync(input, JSON.stringify(description));
  const script = join(import.meta.dirname, 'distil-description.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, input, '--out', out, ...args], { encoding: 'utf8' });
  return { status, stderr, read: (): unknown => JSON.parse(readFileSync(out, 'utf8')) };
}

const json = (schema: object) => ({ 'application/json': { schema } });
const openApi = {
  openapi: '3.0.1',
  info: { title: 'Files', version: '2', description: 'prose' },
  paths: {
    '/files/{id}#rename': {
      summary: 'prose',
      parameters: [{ name: 'id', in: 'path', required: true, description: 'prose', schema: { type: 'string', example: '1' } }],
      put: {
        operationId: 'rename',
        parameters: [{ $ref: '#/components/parameters/Fields' }],
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Draft' }) },
        responses: {
          200: { description: 'prose', content: json({ $ref: '#/components/schemas/File' }) },
          default: { $ref: '#/components/responses/Bad' },
        },
      },
      get: { responses: { 200: { description: '', content: json({ $ref: '#/components/schemas/Unreached' }) } } },
    },
  },
  components: {
    parameters: {
      Fields: { name: 'fields', in: 'query', required: false, explode: false, schema: { type: 'array', items: { type: 'string' } } },
    },
    responses: {
      Bad: { description: 'prose', content: json({ type: 'object', properties: { description: { type: 'string', title: 'prose' } } }) },
    },
    schemas: {
      Draft: { type: 'object', properties: { name: { type: 'string', description: 'prose' } } },
      File: {
        discriminator: { propertyName: 'type' },
        type: 'object',
        properties: {
          owner: { type: 'string', nullable: true, enum: ['a'] },
          parent: { nullable: true, allOf: [{ $ref: '#/components/schemas/File' }] },
          size: { type: 'integer', minimum: 0, exclusiveMinimum: true },
          huge: { $ref: '#/components/schemas/Huge' },
        },
      },
      Huge: { type: 'object', properties: { more: { $ref: '#/components/schemas/Unreached' } } },
      Unreached: { type: 'string' },
    },
  },
};

test('the named operations stay with every part they reach, without prose', (t) => {
  const { status, read } = distil(t, openApi, '--open', 'Huge', 'PUT /files/{id}#rename');
  assert.equal(status, 0);
  assert.deepEqual(read(), {
    openapi: '3.0.3',
    info: { title: 'Files', version: '2' },
    paths: {
      '/files/{id}#rename': {
        put: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }, { $ref: '#/components/parameters/Fields' }],
          requestBody: { required: true, content: json({ $ref: '#/components/schemas/Draft' }) },
          responses: { 200: { content: json({ $ref: '#/components/schemas/File' }) }, default: { $ref: '#/components/responses/Bad' } },
        },
      },
    },
    components: {
      parameters: { Fields: { name: 'fields', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } } },
      responses: { Bad: { content: json({ type: 'object', properties: { description: { type: 'string' } } }) } },
      schemas: {
        Draft: { type: 'object', properties: { name: { type: 'string' } } },
        File: {
          type: 'object',
          properties: {
            owner: { type: ['string', 'null'], enum: ['a', null] },
            parent: { anyOf: [{ allOf: [{ $ref: '#/components/schemas/File' }] }, { type: 'null' }] },
            size: { type: 'integer', exclusiveMinimum: 0 },
            huge: { $ref: '#/components/schemas/Huge' },
          },
        },
        Huge: {},
      },
    },
  });
});

test('Swagger 2.0 comes out in the same shape', (t) => {
  const swagger = {
    swagger: '2.0',
    info: { title: 'Old', version: '1' },
    consumes: ['application/json'],
    'x-ms-paths': {
      '/?comp=list': { get: { parameters: [{ $ref: '#/parameters/Page' }], responses: { 200: { schema: { type: 'file' } } } } },
    },
    paths: {
      '/files': {
        post: {
          consumes: ['multipart/form-data'],
          parameters: [
            { name: 'name', in: 'formData', required: true, type: 'string' },
            { name: 'data', in: 'formData', type: 'file' },
          ],
          responses: { 200: { schema: { $ref: '#/definitions/File' } }, default: { schema: { type: 'object', required: ['error'] } } },
        },
        put: { parameters: [{ name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/File' } }], responses: { 204: {} } },
      },
    },
    parameters: { Page: { name: 'page', in: 'query', type: 'array', items: { type: 'integer' }, collectionFormat: 'csv' } },
    definitions: { File: { type: 'object', properties: { id: { type: 'string' } } } },
  };
  const file = { $ref: '#/components/schemas/File' };
  const bytes = { type: 'string', format: 'binary' };
  const failure = { type: 'object', required: ['error'] };
  const { read } = distil(t, swagger, '--errors-at-200', 'POST /files', 'PUT /files', 'GET /?comp=list');
  assert.deepEqual(read(), {
    openapi: '3.0.3',
    info: { title: 'Old', version: '1' },
    paths: {
      '/files': {
        post: {
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, data: bytes } },
              },
            },
          },
          responses: { 200: { content: json({ anyOf: [file, failure] }) }, default: { content: json(failure) } },
        },
        put: { requestBody: { required: true, content: json(file) }, responses: { 204: {} } },
      },
      '/?comp=list': {
        get: {
          parameters: [{ name: 'page', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } }],
          responses: { 200: { content: json(bytes) } },
        },
      },
    },
    components: { schemas: { File: { type: 'object', properties: { id: { type: 'string' } } } } },
  });
});

test('an operation missing from the file is named together with those it has', (t) => {
  const { status, stderr } = distil(t, openApi, 'DELETE /files/{id}');
  assert.equal(status, 1);
  assert.match(stderr, /has no DELETE \/files\/\{id\}\. It has:\n\/files\/\{id\}#rename/);
});
