import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '#/testing/app.ts';
import { routableUrl } from './routable-url.ts';

test('the target of a request stays as it is written as long as its path can be decoded', () => {
  for (const target of ['/', '/s/caf%C3%A9?x=%ff', '/s/a%2Fb', '*', '/rest/content/thumbnail?linkUri=%'])
    assert.equal(routableUrl(target), target);
});

test('a path that cannot be decoded keeps its percent signs as text', () => {
  assert.equal(routableUrl('/s/%ff?a=%20'), '/s/%25ff?a=%20');
  assert.equal(routableUrl('/browse/100%/a%20b'), '/browse/100%25/a%2520b');
});

test('an address with bytes that are not text is answered like any other unknown one', async (t) => {
  const { app } = await testApp(t);
  for (const [odd, nowhere] of [
    ['/s/%ff', '/none/gone'],
    ['/browse/%c3%28', '/browse/gone'],
    ['/rest/none/%ff', '/rest/none/gone'],
  ] as const) {
    const [one, other] = await Promise.all([app.inject(odd), app.inject(nowhere)]);
    assert.deepEqual(
      [one.statusCode, one.body, one.headers['content-type']],
      [other.statusCode, other.body, other.headers['content-type']],
    );
    assert.ok(one.headers['content-security-policy']);
  }
});
