import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Call, addFolder, deleteLink } from '@sheaf/contract';
import { send } from './send.ts';

/** Records calls and answers them on request. */
function calls(t: TestContext) {
  const waiting: ((answer: Response) => void)[] = [];
  // The part of a page that a call needs.
  Object.assign(globalThis, { document: { cookie: '' } });
  t.after(() => Reflect.deleteProperty(globalThis, 'document'));
  t.mock.method(globalThis, 'fetch', () => new Promise<Response>((resolve) => waiting.push(resolve)));
  return {
    count: () => waiting.length,
    answer: (data: unknown = {}) => waiting.splice(0).forEach((resolve) => resolve(Response.json({ data }))),
  };
}
const twice = <C extends Call>(call: C, payload: Parameters<typeof send<C>>[1]) => [send(call, payload), send(call, payload)] as const;

test('a double click writes once, and both clicks get the answer', async (t) => {
  const { count, answer } = calls(t);
  const [first, second] = twice(deleteLink, { userLinkId: 'a' });
  const other = send(deleteLink, { userLinkId: 'b' });
  assert.equal(count(), 2);
  answer({ done: true });
  assert.deepEqual(await Promise.all([first, second]), [{ done: true }, { done: true }]);
  await other;
  const again = send(deleteLink, { userLinkId: 'a' });
  assert.equal(count(), 1, 'pressed again later it is asked again');
  answer();
  await again;
});

test('two new folders are two folders', async (t) => {
  const { count, answer } = calls(t);
  const both = twice(addFolder, { parentLinkUri: '/a', folderName: 'New Folder', conflict: 'rename' });
  assert.equal(count(), 2);
  answer();
  await Promise.all(both);
});
