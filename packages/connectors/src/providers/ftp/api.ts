import type { Entry } from '../../core/connector.ts';
import { decodeName } from '../../kit/name-bytes.ts';

/** A line of a listing: an entry, or a symbolic link whose target must be looked at. Undefined: a line that names nothing. */
export type Listed = { readonly entry: Entry; readonly isSymlink: boolean } | undefined;

/** Names come as bytes, kept as latin1 text until they are read as UTF-8. */
const nameOf = (bytes: string): string => (beyondAscii.test(bytes) ? decodeName(Buffer.from(bytes, 'latin1')) : bytes);
const beyondAscii = /[\u0080-\u00ff]/;

/** `YYYYMMDDHHMMSS[.sss]` in UTC as epoch seconds: RFC 3659, 2.3. */
export function timeOf(value: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(value);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts.map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) / 1000;
}

/** Epoch seconds as `YYYYMMDDHHMMSS` in UTC. */
export const stampOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/\D/g, '').slice(0, 14);

/** A line of MLSD or MLST: facts, one space, the name (RFC 3659, 7.2). The folder itself and its parent give undefined. */
export function parseFacts(line: string): Listed {
  const cut = line.indexOf(' ');
  if (cut < 0) return undefined;
  const facts = new Map(
    line
      .slice(0, cut)
      .split(';')
      .map((fact) => {
        const equals = fact.indexOf('=');
        return [fact.slice(0, equals).toLowerCase(), fact.slice(equals + 1)];
      }),
  );
  const type = (facts.get('type') ?? '').toLowerCase();
  if (type === 'cdir' || type === 'pdir') return undefined;
  const isSymlink = type.startsWith('os.unix=s');
  const size = Number(facts.get('size') ?? Number.NaN);
  const modified = timeOf(facts.get('modify') ?? '');
  const name = nameOf(line.slice(cut + 1));
  return listed(name.slice(name.lastIndexOf('/') + 1), type === 'dir' ? 'folder' : 'file', size, modified, isSymlink);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The long form of `ls`, with or without a group. One space stands before the name, so that a name may begin with one. */
const unixLine =
  /^([-dlbcps])[-rwxsStTlL]{9}[+.@]?\s+\d+\s+\S+\s+(?:\S+\s+)??(\d+)\s+([A-Za-z]{3})\s+(\d{1,2})\s+(?:(\d\d?):(\d\d)|(\d{4})) (.+)$/;
const dosLine = /^(\d\d)-(\d\d)-(\d\d|\d{4})\s+(\d\d):(\d\d)(AM|PM)?\s+(?:<(DIR|JUNCTION|SYMLINKD?)>|(\d+))\s+(.+)$/i;

/** A line of LIST as Unix and Windows servers write it; times have no zone and are taken as UTC. `now` tells the year of lines without one. */
export function parseLongLine(line: string, now = Date.now()): Listed {
  return parseUnixLine(line, now) ?? parseDosLine(line);
}

function parseUnixLine(line: string, now: number): Listed {
  const [, kind, size, month = '', day, hour, minute, year, rest = ''] = unixLine.exec(line) ?? [];
  if (kind === undefined) return undefined;
  const modified = yearless(months.indexOf(month.toLowerCase()), Number(day), Number(hour ?? 0), Number(minute ?? 0), year, now);
  const bytes = kind === 'l' ? (rest.split(' -> ')[0] ?? rest) : rest;
  return listed(nameOf(bytes), kind === 'd' ? 'folder' : 'file', Number(size), modified, kind === 'l');
}

/** Lines of the last months carry no year: it is the one that puts them at most a day ahead of now. */
function yearless(month: number, day: number, hour: number, minute: number, year: string | undefined, now: number): number | undefined {
  if (month < 0) return undefined;
  const at = (y: number) => Date.UTC(y, month, day, hour, minute);
  if (year !== undefined) return at(Number(year)) / 1000;
  const thisYear = new Date(now).getUTCFullYear();
  return (at(thisYear) > now + 86_400_000 ? at(thisYear - 1) : at(thisYear)) / 1000;
}

function parseDosLine(line: string): Listed {
  const [, month, day, year, hour, minute, half, folder, size, name] = dosLine.exec(line) ?? [];
  if (name === undefined) return undefined;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const fullYear = Number(year) < 100 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  const modified = Date.UTC(fullYear, Number(month) - 1, Number(day), hours, Number(minute)) / 1000;
  return listed(
    nameOf(name),
    folder === undefined ? 'file' : 'folder',
    Number(size ?? Number.NaN),
    modified,
    folder?.toUpperCase().startsWith('SYMLINK') ?? false,
  );
}

function listed(name: string, kind: Entry['kind'], size: number, modified: number | undefined, isSymlink: boolean): Listed {
  if (name === '' || name === '.' || name === '..' || name.includes('/')) return undefined;
  const entry: Entry = {
    name,
    kind,
    ...(kind === 'file' && Number.isSafeInteger(size) && { size }),
    ...(modified !== undefined && { modified }),
  };
  return { entry, isSymlink };
}

/** The port of `229 … (|||port|)`: RFC 2428. */
export function extendedPort(text: string): number | undefined {
  const port = /\((.)\1\1(\d{1,5})\1\)/.exec(text)?.[2];
  return port === undefined ? undefined : Number(port);
}

/** The port of `227 … h1,h2,h3,h4,p1,p2`. The address is left unread: data goes to where the control connection goes. */
export function passivePort(text: string): number | undefined {
  const found = /(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})/.exec(text);
  return found ? Number(found[1]) * 256 + Number(found[2]) : undefined;
}

/** The folder of `257 "folder"`, doubled quotes undone: RFC 959, appendix II. */
export function quotedFolder(text: string): string | undefined {
  const quoted = /^"((?:[^"]|"")*)"/.exec(text)?.[1];
  return quoted === undefined ? undefined : nameOf(quoted.replaceAll('""', '"'));
}
