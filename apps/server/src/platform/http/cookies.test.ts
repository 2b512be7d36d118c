import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCookie, writeCookie } from './cookies.ts';

test('a cookie is found by its whole name', () => {
  assert.equal(readCookie('xsid=1; sid=2; sid2=3', 'sid'), '2');
  assert.equal(readCookie('a=b', 'sid'), undefined);
  assert.equal(readCookie(undefined, 'sid'), undefined);
  assert.equal(readCookie('sid=a=b', 'sid'), 'a=b');
});

test('a cookie is written with its attributes', () => {
  assert.equal(
    writeCookie('sid', 'x', { secure: true, httpOnly: true, maxAge: 5 }),
    'sid=x; Path=/; SameSite=Lax; Max-Age=5; HttpOnly; Secure',
  );
  assert.equal(writeCookie('sh', 'x', { secure: false, httpOnly: false }), 'sh=x; Path=/; SameSite=Lax');
});

test('a value that would break out of its cookie is refused', () => {
  for (const value of ['a;b', 'a\r\nb', 'a b', 'a,b', 'a"b'])
    assert.throws(() => writeCookie('sid', value, { secure: false, httpOnly: true }), TypeError);
});
