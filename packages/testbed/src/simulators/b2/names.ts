import { no } from './replies.ts';

/** B2's rules for names: https://www.backblaze.com/docs/cloud-storage-files */
export function checkName(name: string): void {
  const isTooLong = Buffer.byteLength(name) < 1 || Buffer.byteLength(name) > 1024;
  const controls = [...name].some((character) => character.charCodeAt(0) < 32 || character === '\u007f' || character === '\\');
  const parts = name.split('/');
  if (isTooLong || controls || parts.some((part) => part === '' || Buffer.byteLength(part) > 250))
    throw no(400, 'bad_request', 'File names must be UTF-8 of the form that B2 takes');
}

/** Decodes a percent-encoded name from a header. */
export function decodeName(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch (error) {
    if (error instanceof URIError) throw no(400, 'bad_request', 'Bad character in percent-encoded string');
    throw error;
  }
}

const types: Readonly<Record<string, string>> = { txt: 'text/plain', png: 'image/png', jpg: 'image/jpeg', pdf: 'application/pdf' };

/** The type that `b2/x-auto` resolves to. */
export const typeOf = (asked: string, name: string): string =>
  asked === 'b2/x-auto' ? (types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream') : asked;
