import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetAfterCancel, targetAfterSignIn } from './return-target.ts';

test('signing in returns to the page where it began', () => {
  assert.equal(targetAfterSignIn('/browse/Photos?sort=size'), '/browse/Photos?sort=size');
  assert.equal(targetAfterSignIn(undefined), '/account/mysheaf');
});

test('by default a sign-in ends on the page where it began', () => {
  assert.equal(targetAfterSignIn('/login/websuccess', '/about'), '/about');
  assert.equal(targetAfterSignIn('/login/websuccess', '/'), '/account/mysheaf');
  assert.equal(targetAfterSignIn('/login/websuccess', '//evil.example'), '/account/mysheaf');
});

test('signing in never leads to another site', () => {
  for (const hostile of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    assert.equal(targetAfterSignIn(hostile), '/account/mysheaf');
  }
});

test('signing in never returns to its own pages', () => {
  for (const page of ['/login/start', '/login/websuccess', '/logout', '/signup/start?x=1', '/'])
    assert.equal(targetAfterSignIn(page), '/account/mysheaf');
});

test('cancelling returns to the page where signing in began, if visitors may see it [ACC-01]', () => {
  assert.equal(targetAfterCancel('/linkmarketplace?q=s3'), '/linkmarketplace?q=s3');
  assert.equal(targetAfterCancel('/s/4fOjHCAa'), '/s/4fOjHCAa');
  for (const other of ['/account/profile', '/shared', '/login/start?x=1', '/nowhere', 'https://evil.example/', undefined])
    assert.equal(targetAfterCancel(other), '/', other ?? 'none');
});
