import type { Entry } from '../../core/connector.ts';
import { waitedLater } from '../../kit/concurrency/waited-later.ts';
import { partialPrefix } from '../../kit/names/path.ts';
import { type RawEntry, kindOf, nameOfEntry, toEntry } from './api.ts';
import { StatusError } from './errors.ts';
import { within } from './paths.ts';
import type { Commands } from './session/commands.ts';

/** READDIR requests under way at once: the server answers each with some hundred names, and a request costs it nothing after the last. */
const ahead = 16;
/** Requests that leave together: each packet by itself wakes the server for one answer. */
const together = 8;

/** All names of a folder but `.` and `..`, as the server sends them. Leaving early closes the folder at the server. */
export async function* readFolder(commands: Commands, folder: Buffer): AsyncGenerator<readonly RawEntry[]> {
  const handle = await commands.openFolder(folder);
  const coming: Promise<readonly RawEntry[] | undefined>[] = [];
  const ask = () => {
    coming.push(waitedLater(commands.readFolder(handle)));
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
    // Nobody needs to wait for these answers; the server gives them in its order.
    void Promise.allSettled([...coming, commands.close(handle)]);
  }
}

/** The entries of a folder for the user: links shown as what they point to, without what holds no bytes and without files of unfinished writes. */
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

/** A link as what it points to, and an item of a server that tells no types by what it tells when asked. */
async function followed(commands: Commands, folder: Buffer, raw: RawEntry): Promise<Entry | undefined> {
  const name = nameOfEntry(raw);
  const mark = kindOf(raw.attrs) === 'link' ? ({ isLink: true } as const) : {};
  try {
    const attrs = await commands.stat(within(folder, raw.bytes));
    return kindOf(attrs) === undefined ? undefined : { ...toEntry(name, attrs), ...mark };
  } catch (error) {
    // The target is gone or forbidden: the link itself is still there to be seen and deleted.
    const seen = raw.attrs.modified === undefined ? {} : { modified: raw.attrs.modified };
    if (error instanceof StatusError) return { ...toEntry(name, seen), ...mark };
    throw error;
  }
}

const isDots = (bytes: Buffer): boolean => bytes.equals(dot) || bytes.equals(dots);
const dot = Buffer.from('.');
const dots = Buffer.from('..');
