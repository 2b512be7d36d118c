import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { extname } from 'node:path';
import { brandNameLength } from '@sheaf/contract';

/** Parses a setting's text, or throws BadValue. */
export type Reading<T> = (text: string) => T;

/** Describes the expected value; never repeats the actual one, which may be a secret. */
export class BadValue extends Error {}
const refuse = (why: string): never => {
  throw new BadValue(why);
};
/** Any text. */
export const plain: Reading<string> = (text) => text;
/** A secret that people may choose themselves, or nothing. */
export const passphrase: Reading<string> = (text) => (text === '' || text.length >= 12 ? text : refuse('must have at least 12 characters'));
/** A TCP port. */
export const port: Reading<number> = (text) => {
  const value = Number(text);
  return /^\d+$/.test(text) && value <= 65_535 ? value : refuse('must be a port number from 0 to 65535 (0 takes any free one)');
};
/** A TCP port, or nothing. */
export const optionalPort: Reading<number | undefined> = (text) => (text === '' ? undefined : port(text));
/** An address with one of these schemes, or nothing. */
export const address =
  (...schemes: readonly string[]): Reading<string> =>
  (text) => {
    if (text === '') return '';
    if (!URL.canParse(text) || !schemes.includes(new URL(text).protocol))
      return refuse(
        `must be an address that begins with ${schemes.map((scheme) => (scheme === 'mailto:' ? scheme : `${scheme}//`)).join(' or ')}`,
      );
    return text;
  };
/** Scheme, host and port of a web address, or nothing. */
export const origin: Reading<string> = (text) => {
  const whole = address('http:', 'https:')(text);
  if (whole === '') return '';
  return new URL(whole).pathname === '/' ? new URL(whole).origin : refuse('must not have a path: Sheaf is served at the root of its host');
};
/** Base of the addresses of a collector, without a slash at its end; or nothing. */
export const collector: Reading<string> = (text) => {
  const whole = address('http:', 'https:')(text);
  if (whole === '') return '';
  const { username, password, search, hash } = new URL(whole);
  if (username !== '' || password !== '') return refuse('must not have a user or a password: SHEAF_OTLP_HEADERS is for them');
  if (search !== '' || hash !== '') return refuse('must not have a query: /v1/traces and /v1/metrics are added to it');
  return whole.replace(/\/+$/, '');
};
/** Headers as `name=value`, separated by commas, their values encoded as in addresses; or nothing. */
export const headerFields: Reading<Readonly<Record<string, string>>> = (text) =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const [, name, encoded] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
        const value = encoded === undefined ? undefined : decoded(encoded);
        if (name === undefined || value === undefined || !/^[\t\x20-\x7e]+$/.test(value))
          return refuse('must be headers such as authorization=Bearer%20abc, separated by commas');
        return [name.toLowerCase(), value];
      }),
  );
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
/** One of these words. */
export const oneOf =
  <const T extends readonly string[]>(...choices: T): Reading<T[number]> =>
  (text) =>
    choices.find((choice) => choice === text) ?? refuse(`must be one of ${choices.join(', ')}`);
/** 32 bytes in base64, or nothing. */
export const key: Reading<Buffer | undefined> = (text) => {
  if (text === '') return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? bytes : refuse('must be 32 bytes in base64');
};
/** A name of one short line, or nothing. */
export const shortName: Reading<string> = (text) =>
  [...text].length <= brandNameLength && !/\p{Cc}/u.test(text)
    ? text.trim()
    : refuse(`must be one line of ${brandNameLength} characters at most`);

/** Media types of logos by file extension, and their largest size in bytes. */
const logoTypes: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' };
const mostLogo = 256 * 1024;

export interface LogoFile {
  readonly mimeType: string;
  readonly bytes: Buffer;
}
/** A small picture, read at the start; or nothing. */
export const logoFile: Reading<LogoFile | undefined> = (path) => {
  if (path === '') return undefined;
  const mimeType = logoTypes[extname(path).toLowerCase()] ?? refuse('must be the path of an .svg, .png or .webp file');
  const bytes = contentOf(path);
  return bytes.length <= mostLogo ? { mimeType, bytes } : refuse(`must be a file of ${mostLogo / 1024} KiB at most`);
};
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return refuse('must be the path of a file that can be read');
  }
}

/** Several email addresses, separated by commas or spaces, in lower case. */
export const emails: Reading<readonly string[]> = (text) =>
  words(text.normalize('NFC').toLowerCase()).map((word) => (/^[^\s@]+@[^\s@]+$/.test(word) ? word : refuse('must be e-mail addresses')));
/** Several host names without port, separated by commas or spaces, in lower case. */
export const hostNames: Reading<readonly string[]> = (text) =>
  words(text.toLowerCase()).map((word) =>
    /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(word)
      ? word
      : refuse('must be host names without scheme and port, such as sheaf.example.org'),
  );
/** Several of these values, separated by commas or spaces. */
export const keys: Reading<readonly Buffer[]> = (text) => words(text).flatMap((word) => key(word) ?? []);
const words = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
const isBlock = (text: string): boolean => {
  const [host = '', bits, ...rest] = text.split('/');
  const most = isIP(host) === 6 ? 128 : 32;
  return isIP(host) !== 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most));
};
/** One of these words, or a list of address blocks (RFC 4632) between commas or spaces. */
export const blocks =
  <const T extends readonly string[]>(...names: T): Reading<T[number] | readonly string[]> =>
  (text) => {
    const list = words(text);
    const named = list.length === 1 || text === '' ? names.find((name) => name === text) : undefined;
    if (named !== undefined) return named;
    const wrong = list.find((block) => !isBlock(block));
    if (wrong === undefined) return list;
    return refuse(`must be ${[...names, 'a list of CIDR blocks such as 10.0.0.0/8,192.168.1.0/24'].join(', ')}; ${wrong} is none of these`);
  };
