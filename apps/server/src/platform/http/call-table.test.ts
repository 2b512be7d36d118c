import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { addCall, isServed, routeOf } from './call-table.ts';
import { answerErrors, answerUnknownCall } from './on-error.ts';

/** A server with two calls and a route of its own below `/rest/`, which notes the route of each request. */
function served() {
  const routes: (string | undefined)[] = [];
  const app = fastify();
  answerErrors(app);
  app.addHook('onRequest', async (request) => void routes.push(routeOf(request)));
  addCall(app, 'GET', '/rest/made up/get', async () => 'got');
  addCall(app, 'POST', '/rest/made up/set', async (request) => request.body);
  app.get('/rest/own/:id', async () => 'own');
  app.setNotFoundHandler((request, reply) => answerUnknownCall(app, request, reply));
  return { app, routes };
}

test('calls are found by method and decoded path, also before a query', async () => {
  const { app, routes } = served();
  assert.equal((await app.inject({ url: '/rest/made%20up/get?a=/rest/b' })).body, 'got');
  assert.equal((await app.inject({ url: '/rest/m%61de%20up/get' })).body, 'got');
  assert.equal((await app.inject({ method: 'POST', url: '/rest/made%20up/set', payload: { a: 1 } })).body, '{"a":1}');
  assert.equal((await app.inject({ url: '/rest/own/3' })).body, 'own');
  assert.deepEqual(routes, ['/rest/made up/get', '/rest/made up/get', '/rest/made up/set', '/rest/own/:id']);
});

test('a HEAD is answered as the GET without its body', async () => {
  const { app, routes } = served();
  const { statusCode, body, headers } = await app.inject({ method: 'HEAD', url: '/rest/made%20up/get' });
  assert.deepEqual([statusCode, body, headers['content-length']], [200, '', '3']);
  assert.deepEqual(routes, ['/rest/made up/get']);
});

test('an unknown path, an escaped slash and another method are refused, and have no route', async () => {
  const { app, routes } = served();
  const status = async (method: 'GET' | 'POST' | 'HEAD' | 'DELETE', url: string) => (await app.inject({ method, url })).statusCode;
  assert.equal(await status('GET', '/rest/nothing'), 404);
  assert.equal(await status('POST', '/rest/'), 404);
  assert.equal(await status('GET', '/rest/*'), 404);
  assert.equal(await status('GET', '/rest/made%20up%2Fget'), 404);
  assert.equal(await status('GET', '/rest/made%20up/get/'), 404);
  assert.equal(await status('GET', '//rest/made%20up/get'), 404);
  assert.equal(await status('HEAD', '/rest/made%20up/set'), 405);
  const refused = await app.inject({ url: '/rest/made%20up/set' });
  assert.deepEqual([refused.statusCode, refused.headers['allow']], [405, 'POST']);
  const other = await app.inject({ method: 'DELETE', url: '/rest/made%20up/get' });
  assert.deepEqual([other.statusCode, other.headers['allow']], [405, 'GET']);
  assert.deepEqual(new Set(routes), new Set([undefined]));
});

test('two handlers of one call are a mistake', () => {
  const { app } = served();
  assert.throws(() => addCall(app, 'GET', '/rest/made up/get', async () => 'other'), /served twice/);
  assert.deepEqual([isServed(app, 'GET', '/rest/made up/get'), isServed(app, 'POST', '/rest/made up/get')], [true, false]);
});
