import { isKind } from '../../core/error.ts';

/** What is found up to where the account may not look: for searches, which leave such a place out instead of ending there. */
export async function* unlessForbidden<One>(found: AsyncIterable<One>): AsyncGenerator<One> {
  try {
    yield* found;
  } catch (error) {
    if (!isKind(error, 'forbidden')) throw error;
  }
}
