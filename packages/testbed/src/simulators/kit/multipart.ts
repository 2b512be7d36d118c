import type { Readable } from 'node:stream';

/** One part of a multipart body. Unread bytes are skipped when the next part is requested. */
export interface Part {
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string>>;
  /** `name` and `filename` of Content-Disposition. */
  readonly name: string | undefined;
  readonly filename: string | undefined;
  readonly bytes: AsyncIterable<Buffer>;
}

const headEnd = Buffer.from('\r\n\r\n');
const longestHead = 16_384;

/** A multipart body that violates RFC 2046. */
export class MultipartError extends Error {}

/** Parses a multipart body as it arrives (RFC 2046, 5.1). Throws {@link MultipartError}. */
export async function* readParts(body: Readable, boundary: string): AsyncGenerator<Part, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const source = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  // The first delimiter may start the body: with a line break before it, it looks like the others.
  let held: Buffer = Buffer.from('\r\n');

  async function more(): Promise<void> {
    const { value, done } = await source.next();
    if (done) throw new MultipartError('the last boundary is missing');
    held = held.length === 0 ? value : Buffer.concat([held, value]);
  }

  /** Yields everything up to the next delimiter and consumes that. */
  async function* untilDelimiter(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const at = held.indexOf(delimiter);
      if (at >= 0) {
        const rest = held.subarray(0, at);
        held = held.subarray(at + delimiter.length);
        if (rest.length > 0) yield rest;
        return;
      }
      const sure = held.length - delimiter.length + 1;
      if (sure > 0) {
        const known = held.subarray(0, sure);
        held = held.subarray(sure);
        yield known;
      }
      await more();
    }
  }

  async function skip(bytes: AsyncIterable<Buffer>): Promise<void> {
    for await (const _ of bytes);
  }

  await skip(untilDelimiter());
  for (;;) {
    while (held.length < 2) await more();
    if (held.toString('latin1', 0, 2) === '--') {
      for (let next = await source.next(); !next.done; next = await source.next());
      return;
    }
    while (!held.includes(headEnd)) {
      if (held.length > longestHead) throw new MultipartError('the head of a part is too long');
      await more();
    }
    const end = held.indexOf(headEnd);
    const headers = readHead(held.toString('utf8', 0, end));
    // The line break that ends the headers also starts the delimiter of an empty part.
    held = held.subarray(end + 2);
    let isRead = false;
    const bytes = (async function* () {
      let drop = 2;
      for await (const chunk of untilDelimiter()) {
        const own = drop === 0 ? chunk : chunk.subarray(drop);
        drop -= chunk.length - own.length;
        if (own.length > 0) yield own;
      }
      isRead = true;
    })();
    const disposition = headers['content-disposition'] ?? '';
    yield { headers, name: option(disposition, 'name'), filename: option(disposition, 'filename'), bytes };
    if (!isRead) await skip(bytes);
  }
}

function readHead(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 0) throw new MultipartError('a part has a line without a colon in its head');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** A parameter of a header such as `form-data; name="file"`. Browsers write a quote inside a name as `%22`. */
function option(header: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(header);
  return found?.[1]?.replaceAll(/\\(.)/g, '$1').replaceAll('%22', '"') ?? found?.[2];
}

/** Returns the boundary in a Content-Type. */
export const boundaryOf = (contentType: string): string | undefined => option(contentType, 'boundary');
