import type { Readable } from 'node:stream';
import type { Body } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { createWholeBody } from './whole-body.ts';

/** A Body over a Node stream, for sources whose speed does not depend on lent buffers. Exactly `expected` bytes must arrive, if given. */
export function bodyOf(stream: Readable, facts: { size?: number; entry?: Body['entry'] }): Body {
  return {
    ...(facts.size !== undefined && { size: facts.size }),
    entry: facts.entry ?? {},
    async drain(take) {
      let arrived = 0;
      try {
        for await (const chunk of stream as AsyncIterable<Uint8Array>) {
          arrived += chunk.byteLength;
          await take(chunk);
        }
      } catch (error) {
        throw error instanceof ConnectorError ? error : new ConnectorError('interrupted', 'the source stopped sending', { cause: error });
      }
      if (facts.size !== undefined && arrived !== facts.size)
        throw new ConnectorError('interrupted', `${arrived} of ${facts.size} bytes came`);
    },
    cancel: () => void stream.destroy(),
  };
}

/** Default limit of `collect` in bytes. */
const usualLimit = 256 * 1024 * 1024;

/** Returns all bytes of a small body; rejects with `unexpected` when there are more than `limit`. */
export async function collect(body: Body, limit = usualLimit): Promise<Buffer> {
  const whole = createWholeBody(limit);
  await body.drain(async (chunk) => whole.add(chunk));
  return whole.bytes();
}
