import { headerSize } from './format.ts';

/** Splits the stream of an encrypted file into its header and the rest. */
export async function withoutHeader(
  pieces: AsyncIterator<Uint8Array>,
): Promise<{ readonly header: Uint8Array; readonly rest: AsyncGenerator<Uint8Array> }> {
  const header = new Uint8Array(headerSize);
  for (let filled = 0; ;) {
    const { done, value } = await pieces.next();
    if (done === true) return { header: header.subarray(0, filled), rest: following(new Uint8Array(0), pieces) };
    const part = value.subarray(0, headerSize - filled);
    header.set(part, filled);
    filled += part.length;
    if (filled === headerSize) return { header, rest: following(value.subarray(part.length), pieces) };
  }
}

async function* following(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
