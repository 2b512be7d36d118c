import { numberIn } from '../../kit/digits.ts';
import { type Listed, listed, nameOf } from './api.ts';

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthOf = (text: string): number => monthNames.indexOf(text.toLowerCase());
/** The long form of `ls`, with or without a group. One space stands before the name, so that a name may begin with one. */
const unixLine =
  /^([-dlbcps])[-rwxsStTlL]{9}[+.@]?\s+\d+\s+\S+\s+(?:\S+\s+)??(\d+)\s+([A-Za-z]{3})\s+(\d{1,2})\s+(?:(\d\d?):(\d\d)|(\d{4})) (.+)$/;
const dosLine = /^(\d\d)-(\d\d)-(\d\d|\d{4})\s+(\d\d):(\d\d)(AM|PM)?\s+(?:<(DIR|JUNCTION|SYMLINKD?)>|(\d+))\s+(.+)$/i;

/** A line of LIST as Unix and Windows servers write it; times have no zone and are taken as UTC. `now` tells the year of lines without one. */
export const parseLongLine = (line: string, now = Date.now()): Listed =>
  parseUsualLine(line, now) ?? parseUnixLine(line, now) ?? parseDosLine(line);

const [space, colon, noBreak] = [0x20, 0x3a, 0xa0];

/** Where the field that begins at `from` ends. */
function fieldEnd(line: string, from: number): number {
  let at = from;
  for (let code = line.charCodeAt(at); code > space && code !== noBreak; code = line.charCodeAt(at)) at++;
  return at;
}

/** Where the field after the one that begins at `from` begins. */
function nextField(line: string, from: number): number {
  let at = fieldEnd(line, from);
  while (line.charCodeAt(at) === space) at++;
  return at;
}

const usualMode = /^[-d][-rwxsStT]{9}$/;

/**
 * A line that Unix servers write for a file or folder, with a group and spaces for all blanks: {@link parseUnixLine} in a third of the time, which a
 * folder of many thousands feels. Undefined for every other line, whatever is wrong with it.
 */
function parseUsualLine(line: string, now: number): Listed {
  if (line.charCodeAt(10) !== space || !usualMode.test(line.slice(0, 10))) return undefined;
  const links = nextField(line, 0);
  const owner = nextField(line, links);
  const size = nextField(line, nextField(line, owner));
  const month = nextField(line, size);
  const day = nextField(line, month);
  const time = nextField(line, day);
  const end = fieldEnd(line, time);
  const monthEnd = fieldEnd(line, month);
  const dayEnd = fieldEnd(line, day);
  if (line.charCodeAt(end) !== space || end + 1 === line.length || monthEnd !== month + 3 || dayEnd > day + 2) return undefined;
  const bytes = numberIn(line, size, fieldEnd(line, size));
  const date = line.slice(month, end);
  if (date !== lastDate.text || now !== lastDate.now) {
    const modified = usualDate(date, { monthEnd: monthEnd - month, day: day - month, dayEnd: dayEnd - month, time: time - month }, now);
    if (modified === undefined) return undefined;
    lastDate = { text: date, now, modified };
  }
  const { modified } = lastDate;
  // One number that is none makes the sum none.
  if (Number.isNaN(modified + bytes + numberIn(line, links, fieldEnd(line, links)))) return undefined;
  const name = line.slice(end + 1);
  if (name.includes('\r')) return undefined;
  return listed(nameOf(name), line.startsWith('d') ? 'folder' : 'file', bytes, modified, false);
}

/** The date of the line read last, which those after it often share. */
let lastDate = { text: '', now: 0, modified: 0 };

/** Epoch seconds of `Nov 22 05:46` or `Nov 22 2025`, whose fields begin and end there. */
function usualDate(
  date: string,
  { monthEnd, day, dayEnd, time }: Readonly<Record<'monthEnd' | 'day' | 'dayEnd' | 'time', number>>,
  now: number,
): number | undefined {
  const end = date.length;
  const colonAt = date.charCodeAt(end - 3) === colon ? end - 3 : -1;
  const year = colonAt < 0 ? numberIn(date, time, end) : undefined;
  if (colonAt < 0 ? end !== time + 4 : colonAt > time + 2) return undefined;
  const hour = colonAt < 0 ? 0 : numberIn(date, time, colonAt);
  const minute = colonAt < 0 ? 0 : numberIn(date, colonAt + 1, end);
  return modifiedAt(monthOf(date.slice(0, monthEnd)), numberIn(date, day, dayEnd), hour, minute, year, now);
}

function parseUnixLine(line: string, now: number): Listed {
  const [, kind, size, month = '', day, hour, minute, year, rest = ''] = unixLine.exec(line) ?? [];
  if (kind === undefined) return undefined;
  const modified = modifiedAt(
    monthOf(month),
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    year === undefined ? year : Number(year),
    now,
  );
  const bytes = kind === 'l' ? (rest.split(' -> ')[0] ?? rest) : rest;
  return listed(nameOf(bytes), kind === 'd' ? 'folder' : 'file', Number(size), modified, kind === 'l');
}

/** Epoch seconds of a line's time. Lines of the last months carry no year: it is the one that puts them at most a day ahead of now. */
function modifiedAt(month: number, day: number, hour: number, minute: number, year: number | undefined, now: number): number | undefined {
  if (month < 0) return undefined;
  if (year !== undefined) return Date.UTC(year, month, day, hour, minute) / 1000;
  const thisYear = new Date(now).getUTCFullYear();
  const time = Date.UTC(thisYear, month, day, hour, minute);
  return (time > now + 86_400_000 ? Date.UTC(thisYear - 1, month, day, hour, minute) : time) / 1000;
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
