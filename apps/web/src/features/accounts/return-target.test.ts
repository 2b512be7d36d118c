import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetAfterCancel, targetAfterSignIn } from './return-target.ts';

test('after signing in one comes back to the page where it began', () => {
  assert.equal(targetAfterSignIn('/browse/Photos?sort=size'), '/browse/Photos?sort=size');
  assert.equal(targetAfterSignIn(undefined), '/account/mysheaf');
});

test('the usual end of a sign-in leads to the page on which it was begun', () => {
  assert.equal(targetAfterSignIn('/login/websuccess', '/about'), '/about');
  assert.equal(targetAfterSignIn('/login/websuccess', '/'), '/account/mysheaf');
  assert.equal(targetAfterSignIn('/login/websuccess', '//evil.example'), '/account/mysheaf');
});

test('an address of another site is not gone to after signing in', () => {
  for (const hostile of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    assert.equal(targetAfterSignIn(hostile), '/account/mysheaf');
  }
});

test('the pages of the sign-in itself are no place to come back to', () => {
  for (const page of ['/login/start', '/login/websuccess', '/logout', '/signup/start?x=1', '/'])
    assert.equal(targetAfterSignIn(page), '/account/mysheaf');
});

test('whoever cancels comes back to the page where signing in was begun, if it is one for visitors [ACC-01]', () => {
  assert.equal(targetAfterCancel('/linkmarketplace?q=s3'), '/linkmarketplace?q=s3');
  assert.equal(targetAfterCancel('/s/4fOjHCAa'), '/s/4fOjHCAa');
  for (const other of ['/account/profile', '/shared', '/login/start?x=1', '/nowhere', 'https://evil.example/', undefined])
    assert.equal(targetAfterCancel(other), '/', other ?? 'none');
});
