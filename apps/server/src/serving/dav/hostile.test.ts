import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createAppPassword } from '@sheaf/contract';
import { addSftp, linkApp } from '#/testing/links.ts';
import { s3Client } from '../s3/testing/client.ts';

/** Sheaf with a link "nas", and a program with an app password for it. */
async function program(t: TestContext) {
  const app = await linkApp(t);
  const { userLinkId } = await addSftp(app.user, 'nas');
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const made = await app.user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  const authorization = `Basic ${Buffer.from(`${made.username}:${made.password}`).toString('base64')}`;
  const ask = async (method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${url}/dav/nas${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  return { ...app, userLinkId, made, url, ask, s3: s3Client(url, made) };
}

const set = (content: string): string => `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>${content}</D:prop></D:set></D:propertyupdate>`;
const namespaces = (count: number, mark: string): string =>
  Array.from({ length: count }, (_, index) => `xmlns:p${mark}${index}="u"`).join(' ');

/** The longest time, in milliseconds, for which nothing else ran. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 10));
  clearInterval(timer);
  return longest;
}

test('a request whose elements all declare prefixes in each other stops nobody', async (t) => {
  const { ask, s3, source } = await program(t);
  source.put('/a.txt', 'hello');
  const around = Array.from({ length: 30 }, (_, depth) => `<a ${namespaces(3000, `${depth}x`)}>`).join('');
  const paused = await longestPause(async () => {
    const property = `<x:y xmlns:x="urn:x" ${namespaces(2500, '')}>${'<z xmlns:q="u"/>'.repeat(3000)}</x:y>`;
    assert.equal((await ask('PROPPATCH', '/a.txt', set(property))).status, 207);
    const body = `${around}${'<b xmlns:q="u"/>'.repeat(4900)}${'</a>'.repeat(30)}`;
    assert.equal(await s3.status({ method: 'POST', path: '/nas', query: 'delete=', body }), 400);
  });
  // Copying the prefixes for each element takes twenty seconds, and some gigabytes.
  assert.ok(paused < 1500, `${paused} ms`);
});

test('what is no XML is refused before it is kept for others to read', async (t) => {
  const { ask, source } = await program(t);
  source.put('/a.txt', 'hello');
  const lock = (owner: string): string =>
    `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>${owner}</D:owner></D:lockinfo>`;
  for (const wrong of [
    '<a<b xmlns="urn:x"/>',
    '<a"b xmlns="urn:x"/>',
    '<1a xmlns="urn:x"/>',
    '<x:a xmlns:x="urn:x" b&amp;c="d"/>',
    '<x:a xmlns:x="urn:x" y:b="c"/>',
    '<x:a xmlns:x="urn:x">\u0001</x:a>',
    '<x:a xmlns:x="urn:x">\ufffe</x:a>',
    '<constructor:a/>',
    '<x:a xmlns:x="urn:x" constructor:b="c"/>',
  ]) {
    assert.equal((await ask('PROPPATCH', '/a.txt', set(wrong))).status, 400, wrong);
    assert.equal((await ask('LOCK', '/a.txt', lock(wrong))).status, 400, wrong);
  }
  const kept = '<x:größe xmlns:x="urn:x" y:b="&lt;1&gt;" xmlns:y="urn:y" xml:lang="de">é<x:z-1.2/></x:größe>';
  assert.equal((await ask('PROPPATCH', '/a.txt', set(kept))).status, 207);
  const { text } = await ask('PROPFIND', '/', undefined, { depth: '1' });
  assert.match(text, /<größe xmlns="urn:x" xmlns:a0="urn:y" a0:b="&lt;1&gt;" xml:lang="de">é<z-1\.2 xmlns="urn:x"\/><\/größe>/);
});
