import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as contract from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { callsOf } from './document.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>;
}

test('every call of the contract is described under its own path and method', async (t) => {
  const { app } = await testApp(t);
  const answer = await app.inject({ method: 'GET', url: '/rest/openapi.json' });
  const { paths } = answer.json<Document>();
  const calls = callsOf({ ...contract });
  assert.ok(calls.length > 40, `${calls.length} calls`);
  for (const { path, method, summary } of calls) assert.equal(paths[path]?.[method.toLowerCase()]?.summary, summary, `${method} ${path}`);
});

test('every call that is described is answered by the server, never with "does not exist"', async (t) => {
  const { app } = await testApp(t);
  const { paths } = (await app.inject({ method: 'GET', url: '/rest/openapi.json' })).json<Document>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      const answer = await app.inject({ method: method === 'get' ? 'GET' : method === 'put' ? 'PUT' : 'POST', url: path });
      assert.notEqual(answer.statusCode, 404, `${method} ${path}`);
    }
  }
});

test('a call that needs a session says that a cookie or a bearer token is accepted', async (t) => {
  const { app } = await testApp(t);
  const { paths, components } = (await app.inject({ method: 'GET', url: '/rest/openapi.json' })).json<{
    paths: Readonly<Record<string, { readonly get?: { readonly security: unknown } }>>;
    components: { readonly securitySchemes: object };
  }>();
  assert.deepEqual(paths[contract.getSession.path]?.get?.security, [{ session: [] }, { bearer: [] }]);
  assert.deepEqual(Object.keys(components.securitySchemes), ['session', 'bearer']);
});
