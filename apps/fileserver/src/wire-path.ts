import { Refusal } from './refusal.ts';

/** The segments of a path as bytes, because names on a disk need not be text; none for the exported folder itself. */
export type Segments = readonly Buffer[];

/** Prefix of incomplete uploads: such files are hidden and cannot be created by clients. */
export const partialPrefix = '.sheaf-partial-';

const [slash, dot] = [0x2f, 0x2e];
/** RFC 3986, section 3.4: characters of a query except `&`, which ends a value; the percent sign only with two digits. */
const segmentText = /^(?:[A-Za-z0-9\-._~!$'()*+,;=:@?]|%[0-9A-Fa-f]{2})+$/;

/**
 * Parses the path in a query parameter: percent-encoded segments, each after a slash (`/`, `/a`, `/a/b%20c`). A plus is a plus. Rejects with
 * `badName` for invalid paths: empty segments, `.` and `..` in any spelling, an encoded slash, NUL, names of partial files.
 */
export function parseWirePath(query: string, parameter: string): Segments {
  const prefix = `${parameter}=`;
  const values = query.split('&').filter((part) => part.startsWith(prefix));
  const [value, ...more] = values.map((part) => part.slice(prefix.length));
  if (value === undefined || more.length > 0) throw new Refusal('badName', `the query needs one "${parameter}"`);
  return parsePath(value);
}

/** Reads one path of the protocol; the rules are those of {@link parseWirePath}. */
export function parsePath(value: string): Segments {
  if (value === '/') return [];
  const [before, ...parts] = value.split('/');
  if (before !== '' || parts.length === 0) throw new Refusal('badName', 'a path begins with a slash');
  return parts.map(parseSegment);
}

function parseSegment(text: string): Buffer {
  if (!segmentText.test(text)) throw new Refusal('badName', 'a part of the path is empty or not percent-encoded');
  const bytes = Buffer.from(
    text.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
  const isDots = bytes.every((byte) => byte === dot) && bytes.length <= 2;
  if (isDots || bytes.includes(slash) || bytes.includes(0)) throw new Refusal('badName', 'a part of the path is no name');
  if (isPartial(bytes)) throw new Refusal('badName', `names that begin with ${partialPrefix} are the file server's own`);
  return bytes;
}

export const isPartial = (name: Buffer): boolean => name.subarray(0, partialPrefix.length).equals(Buffer.from(partialPrefix));

/** A fresh name for something that is not whole yet. */
export const partialName = (): Buffer => Buffer.from(partialPrefix + crypto.randomUUID());

/** Prefix of uploads that go on in later requests: a restart of the server does not end them. */
const resumablePrefix = Buffer.from(`${partialPrefix}upload-`);

/** Whether the partial file is one of a resumable upload. */
export const isResumable = (name: Buffer): boolean => name.subarray(0, resumablePrefix.length).equals(resumablePrefix);

/** The partial file of a resumable upload. */
export const resumableName = (upload: string): Buffer => Buffer.concat([resumablePrefix, Buffer.from(upload)]);

/** Reads the id of an upload in the query; rejects with `notFound` for one that this server has not given. */
export function parseUploadId(query: string): string {
  const upload = new URLSearchParams(query).get('upload') ?? '';
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(upload)) throw new Refusal('notFound', 'there is no such upload');
  return upload;
}

/** Reads a number of bytes in the query; rejects with `unexpected`. */
export function parseBytes(query: string, parameter: string): number {
  const text = new URLSearchParams(query).get(parameter) ?? '';
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('unexpected', `the query needs "${parameter}", a number of bytes`);
  return Number(text);
}
