import { type Listed, linkIf, listed, nameOf } from '../api.ts';
import { modifiedAt, monthAt } from './line-times.ts';

/** The long format of `ls`, with or without a group. Exactly one space precedes the name, which may itself start with a space. */
const unixLine =
  /^([-dlbcps])[-rwxsStTlL]{9}[+.@]?\s+\d+\s+\S+\s+(?:\S+\s+)??(\d+)\s+([A-Za-z]{3})\s+(\d{1,2})\s+(?:(\d\d?):(\d\d)|(\d{4})) (.+)$/;
const dosLine = /^(\d\d)-(\d\d)-(\d\d|\d{4})\s+(\d\d):(\d\d)(AM|PM)?\s+(?:<(DIR|JUNCTION|SYMLINKD?)>|(\d+))\s+(.+)$/i;

/**
 * Parses a LIST line as Unix and Windows servers write it; times have no zone and are treated as UTC. `now` provides the year for lines
 * without one.
 */
export const parseLongLine = (line: string, now = Date.now()): Listed => parseUnixLine(line, now) ?? parseDosLine(line);

function parseUnixLine(line: string, now: number): Listed {
  const [, kind, size, month = '', day, hour, minute, year, rest = ''] = unixLine.exec(line) ?? [];
  if (kind === undefined) return undefined;
  const monthNumber = monthAt(Buffer.from(month), 0);
  const time = { day: Number(day), hour: Number(hour ?? 0), minute: Number(minute ?? 0), year: year === undefined ? year : Number(year) };
  const modified = monthNumber === undefined ? undefined : modifiedAt({ month: monthNumber, ...time }, now);
  const bytes = kind === 'l' ? (rest.split(' -> ')[0] ?? rest) : rest;
  return linkIf(kind === 'l', listed(nameOf(bytes), kind === 'd' ? 'folder' : 'file', Number(size), modified));
}

function parseDosLine(line: string): Listed {
  const [, month, day, year, hour, minute, half, folder, size, name] = dosLine.exec(line) ?? [];
  if (name === undefined) return undefined;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const fullYear = Number(year) < 100 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  const modified = Date.UTC(fullYear, Number(month) - 1, Number(day), hours, Number(minute)) / 1000;
  const isLink = folder?.toUpperCase().startsWith('SYMLINK') ?? false;
  return linkIf(isLink, listed(nameOf(name), folder === undefined ? 'file' : 'folder', Number(size ?? Number.NaN), modified));
}
