import { isKind } from '../../core/error.ts';

/** Yields results until access is denied: a search skips such a place instead of failing there. */
export async function* unlessForbidden<One>(found: AsyncIterable<One>): AsyncGenerator<One> {
  try {
    yield* found;
  } catch (error) {
    if (!isKind(error, 'forbidden')) throw error;
  }
}
