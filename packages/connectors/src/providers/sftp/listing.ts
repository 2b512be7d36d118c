import type { Entry } from '../../core/connector.ts';
import { markHandled } from '../../kit/concurrency/mark-handled.ts';
import { partialPrefix } from '../../kit/names/path.ts';
import { type RawEntry, kindOf, nameOfEntry, toEntry } from './api.ts';
import { StatusError } from './errors.ts';
import { within } from './paths.ts';
import type { Commands } from './session/commands.ts';

/** Concurrent READDIR requests: the server answers each with about a hundred names, and requests past the end are cheap. */
const ahead = 16;
/** Requests sent in one write: each separate packet would wake the server for one response. */
const together = 8;

/**
 * Yields all names of a folder except `.` and `..`, as the server sends them. Ending the iteration early closes the folder at the server.
 */
export async function* readFolder(commands: Commands, folder: Buffer): AsyncGenerator<readonly RawEntry[]> {
  const handle = await commands.openFolder(folder);
  const coming: Promise<readonly RawEntry[] | undefined>[] = [];
  const ask = () => {
    coming.push(markHandled(commands.readFolder(handle)));
  };
  const next = () => {
    if (coming.length <= ahead - together)
      commands.session.together(() => {
        while (coming.length < ahead) ask();
      });
    return coming.shift();
  };
  try {
    for (let names = await next(); names; names = await next()) {
      const real = names.filter(({ bytes }) => !isDots(bytes));
      if (real.length > 0) yield real;
    }
  } finally {
    // These responses need not be awaited; the server sends them in order.
    void Promise.allSettled([...coming, commands.close(handle)]);
  }
}

/** Yields the entries of a folder for the user: links resolved, without special files and without temporary files of uploads. */
export async function* listEntries(commands: Commands, folder: Buffer): AsyncGenerator<readonly Entry[]> {
  for await (const names of readFolder(commands, folder)) {
    const entries: Entry[] = [];
    const unclear: RawEntry[] = [];
    for (const raw of names) {
      const kind = kindOf(raw.attrs);
      if (kind === 'link' || raw.attrs.mode === undefined) unclear.push(raw);
      else if (kind !== undefined) entries.push(toEntry(nameOfEntry(raw), raw.attrs));
    }
    const looked = await Promise.all(unclear.map((raw) => followed(commands, folder, raw)));
    const batch = [...entries, ...looked.filter((entry) => entry !== undefined)].filter(({ name }) => !name.startsWith(partialPrefix));
    if (batch.length > 0) yield batch;
  }
}

/** Resolves a link, and requests the attributes of an item whose type the server did not send. */
async function followed(commands: Commands, folder: Buffer, raw: RawEntry): Promise<Entry | undefined> {
  const name = nameOfEntry(raw);
  const mark = kindOf(raw.attrs) === 'link' ? ({ isLink: true } as const) : {};
  try {
    const attrs = await commands.stat(within(folder, raw.bytes));
    return kindOf(attrs) === undefined ? undefined : { ...toEntry(name, attrs), ...mark };
  } catch (error) {
    // The target is missing or forbidden: the link itself is listed, so that it can be seen and deleted.
    const seen = raw.attrs.modified === undefined ? {} : { modified: raw.attrs.modified };
    if (error instanceof StatusError) return { ...toEntry(name, seen), ...mark };
    throw error;
  }
}

const isDots = (bytes: Buffer): boolean => bytes.equals(dot) || bytes.equals(dots);
const dot = Buffer.from('.');
const dots = Buffer.from('..');
