import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isKind } from '../../core/error.ts';
import { readLines, readWhole } from './whole-body.ts';

async function* pieces(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** An endless body that reports how much of it was read. */
function endless(piece: string) {
  const state = { taken: 0, isLeft: false };
  const stream = async function* () {
    try {
      for (;;) {
        state.taken += piece.length;
        yield Buffer.from(piece);
      }
    } finally {
      state.isLeft = true;
    }
  };
  return { state, stream: stream() };
}

test('a body is read completely up to its limit, and one byte more is too long', async () => {
  assert.equal((await readWhole(pieces(['ab', '', 'c']), 3)).toString(), 'abc');
  await assert.rejects(readWhole(pieces(['ab', 'cd']), 3), (error) => isKind(error, 'unexpected'));
  await assert.rejects(
    readWhole(pieces(['ab', 'cd']), 3, () => new RangeError('mine')),
    RangeError,
  );
});

test('an endless body is cancelled once it is too long', async () => {
  for (const read of [(stream: AsyncIterable<Uint8Array>) => readWhole(stream, 10_000), linesOf]) {
    const { state, stream } = endless('x'.repeat(1000));
    await assert.rejects(read(stream), (error) => isKind(error, 'unexpected'));
    assert.deepEqual(state, { taken: 11_000, isLeft: true });
  }
});

const linesOf = async (stream: AsyncIterable<Uint8Array>): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of readLines(stream, 10_000)) lines.push(line);
  return lines;
};

test('lines are the same however the text is split', async () => {
  const line = fc.array(fc.constantFrom('a', 'é', '🙂'), { maxLength: 4 }).map((letters) => letters.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 5 }), async (lines, end, size) => {
      const bytes = Buffer.from(lines.map((text) => text + end).join(''));
      const cut = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      assert.deepEqual(await linesOf(cut()), lines);
    }),
  );
});
