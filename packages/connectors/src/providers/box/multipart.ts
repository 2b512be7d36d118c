import { randomUUID } from 'node:crypto';
import type { ApiRequest } from '../../kit/rest/api.ts';

/** The form of Box's uploads with two fields: attributes first, then the file. RFC 7578. */
export interface UploadForm {
  readonly headers: NonNullable<ApiRequest['headers']>;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Returns the bytes before and after the file's content. The file's real name is among the attributes. */
export function uploadForm(attributes: unknown): UploadForm {
  const boundary = `sheaf-${randomUUID()}`;
  const lines = [
    `--${boundary}`,
    'content-disposition: form-data; name="attributes"',
    'content-type: application/json',
    '',
    JSON.stringify(attributes),
    `--${boundary}`,
    'content-disposition: form-data; name="file"; filename="file"',
    'content-type: application/octet-stream',
    '',
    '',
  ];
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    head: Buffer.from(lines.join('\r\n')),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}
