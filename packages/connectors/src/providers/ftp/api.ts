import { isSegment } from '@sheaf/contract';
import type { Entry } from '../../core/connector.ts';
import { numberIn } from '../../kit/names/digits.ts';
import { decodeName } from '../../kit/names/name-bytes.ts';

/** A parsed line of a listing; the target of a link must still be resolved. Undefined: a line without an entry. */
export type Listed = Entry | undefined;

/** Names arrive as bytes, kept as latin1 text until they are decoded as UTF-8. */
export const nameOf = (bytes: string): string => (beyondAscii.test(bytes) ? decodeName(Buffer.from(bytes, 'latin1')) : bytes);
const beyondAscii = /[\u0080-\u00ff]/;

/** `YYYYMMDDHHMMSS[.sss]` in UTC as epoch seconds: RFC 3659, 2.3. */
export function timeOf(value: string): number | undefined {
  if (!/^\d{14}/.test(value)) return undefined;
  const part = (from: number, to: number) => numberIn(value, from, to);
  return Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10), part(10, 12), part(12, 14)) / 1000;
}

/** Epoch seconds as `YYYYMMDDHHMMSS` in UTC. */
export const stampOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/\D/g, '').slice(0, 14);

/** Parses a line of MLSD or MLST: facts, one space, the name (RFC 3659, 7.2). Returns undefined for the folder itself and its parent. */
export function parseFacts(line: string): Listed {
  const cut = line.indexOf(' ');
  if (cut < 0) return undefined;
  let type = '';
  let size = Number.NaN;
  let modified: number | undefined;
  for (let from = 0, end = 0; from < cut; from = end + 1) {
    const mark = line.indexOf(';', from);
    end = mark < 0 || mark > cut ? cut : mark;
    const equals = line.indexOf('=', from);
    if (equals < 0 || equals > end) continue;
    const fact = line.slice(from, equals).toLowerCase();
    if (fact === 'type') type = line.slice(equals + 1, end).toLowerCase();
    else if (fact === 'size') size = Number(line.slice(equals + 1, end));
    else if (fact === 'modify') modified = timeOf(line.slice(equals + 1, end));
  }
  if (type === 'cdir' || type === 'pdir') return undefined;
  const name = nameOf(line.slice(cut + 1));
  const entry = listed(name.slice(name.lastIndexOf('/') + 1), type === 'dir' ? 'folder' : 'file', size, modified);
  return linkIf(type.startsWith('os.unix=s'), entry);
}

/** Builds an entry; undefined when the name is invalid. */
export function listed(name: string, kind: Entry['kind'], size: number, modified: number | undefined): Listed {
  if (!isSegment(name)) return undefined;
  const hasSize = kind === 'file' && Number.isSafeInteger(size);
  // Written out for speed: every line of every listing passes through here.
  if (modified === undefined) return hasSize ? { name, kind, size } : { name, kind };
  return hasSize ? { name, kind, size, modified } : { name, kind, modified };
}

/** Marks the entry as a link if it is one. */
export const linkIf = (isLink: boolean, entry: Listed): Listed => (isLink && entry ? { ...entry, isLink: true } : entry);

/** The port of `229 … (|||port|)`: RFC 2428. */
export function extendedPort(text: string): number | undefined {
  const port = /\((.)\1\1(\d{1,5})\1\)/.exec(text)?.[2];
  return port === undefined ? undefined : Number(port);
}

/** Parses the port of `227 … h1,h2,h3,h4,p1,p2`. Ignores the address: data connections go to the control connection's host. */
export function passivePort(text: string): number | undefined {
  const found = /(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})/.exec(text);
  return found ? Number(found[1]) * 256 + Number(found[2]) : undefined;
}

/** Parses the folder of `257 "folder"` with doubled quotes unescaped: RFC 959, appendix II. */
export function quotedFolder(text: string): string | undefined {
  const quoted = /^"((?:[^"]|"")*)"/.exec(text)?.[1];
  return quoted === undefined ? undefined : nameOf(quoted.replaceAll('""', '"'));
}
