import { Readable } from 'node:stream';
import { ConnectorError } from '../../core/error.ts';
import { lendLike } from '../body/body-memory.ts';

/** The file of a form, streamed. */
export interface FormFile {
  readonly field: string;
  readonly name: string;
  readonly type?: string;
  readonly body: Readable;
  /** Size in bytes, when known. */
  readonly size?: number;
}

/** A field of a form: text, or JSON with its media type. */
export type FormField = string | { readonly json: unknown };

/**
 * Builds the streamed body of a form with one file after its fields (RFC 7578). Throws `badName` for a file name that {@link fitsForm}
 * refuses.
 */
export function multipartForm(fields: Readonly<Record<string, FormField>>, file: FormFile) {
  if (!fitsForm(file.name)) throw new ConnectorError('badName', 'the name does not come through a form');
  const boundary = `sheaf-${crypto.randomUUID()}`;
  const texts = Object.entries(fields).map(([name, value]) =>
    typeof value === 'string'
      ? part(boundary, `form-data; name="${name}"`, 'text/plain; charset=utf-8', value)
      : part(boundary, `form-data; name="${name}"`, 'application/json', JSON.stringify(value.json)),
  );
  const disposition = `form-data; name="${file.field}"; filename="${file.name.replaceAll('"', '%22')}"`;
  const head = Buffer.from(texts.join('') + part(boundary, disposition, file.type ?? 'application/octet-stream', '').slice(0, -2));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* file.body as AsyncIterable<Uint8Array>;
    yield tail;
  }
  const body = lendLike(Readable.from(pieces(), { objectMode: false }), file.body);
  body.on('close', () => file.body.destroy());
  return {
    body,
    ...(file.size !== undefined && { size: head.length + file.size + tail.length }),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const part = (boundary: string, disposition: string, type: string, text: string): string =>
  `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;

/** Whether a form can carry the file name: control characters would end its line, and a backslash is ambiguous. */
export const fitsForm = (name: string): boolean => !/[\\\p{Cc}]/u.test(name);
