import type { Body } from '../core/connector.ts';
import { wrongSize } from '../core/error.ts';

/** Bytes of a body that are held: login pages are shorter. */
const longestPage = 256 * 1024;

/**
 * A body that may be a page in place of a file of `expected` bytes. Its bytes are held until they are more than a page has, or until its end: a page of
 * another length rejects with `unexpected` before anything is passed on. `sizeNow` gives the size of a file that may have changed.
 */
export function unlessPage(body: Body, expected: number, sizeNow: () => Promise<number | undefined>): Body {
  return {
    ...body,
    async drain(take) {
      let held: Uint8Array[] = [];
      let length = 0;
      const pass = async (): Promise<void> => {
        const pieces = held;
        held = [];
        for (const piece of pieces) await take(piece);
      };
      await body.drain((chunk) => {
        if (length >= longestPage) return take(chunk);
        length += chunk.byteLength;
        // Copied, because a chunk is only lent.
        held.push(Uint8Array.from(chunk));
        return length >= longestPage ? pass() : undefined;
      });
      if (length < longestPage && length !== expected && length !== (await sizeNow())) throw wrongSize(length, expected, true);
      await pass();
    },
  };
}
