import { parseArgs } from 'node:util';
import { verifyRules } from '@sheaf/contract';

export const protocols = ['sftp', 'ftp', 'ftps', 'webdav', 's3', 'azure', 'gateway'] as const;
export type Protocol = (typeof protocols)[number];
const engines = ['sqlite', 'postgres'] as const;
type Engine = (typeof engines)[number];

/** What one run of the bench measures, and how much of it. */
export interface Options {
  readonly cases: readonly string[];
  readonly protocols: readonly Protocol[];
  /** Of the cloud; none: all of them. */
  readonly providers: readonly string[];
  /** Bytes of the file that goes up and down. */
  readonly size: number;
  /** Bytes a second that curl sends and fetches, in `programs`; absent: as many as it can. */
  readonly line?: number;
  /** How often each contender has its turn; the median counts. */
  readonly rounds: number;
  /** Stored entries that are searched. */
  readonly entries: number;
  /** Where the searched entries are stored. */
  readonly database: Engine;
  /** How Sheaf proves its copies. */
  readonly verify: (typeof verifyRules)[number];
}

const units: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Reads the command line; throws with the words for the user when it makes no sense. Without a case all of them run. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      protocol: { type: 'string', default: protocols.join(',') },
      provider: { type: 'string', default: '' },
      size: { type: 'string', default: '1GiB' },
      line: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      entries: { type: 'string', default: '1000000' },
      database: { type: 'string', default: 'sqlite' },
      verify: { type: 'string', default: 'auto' },
    },
  });
  return {
    cases: positionals.length === 0 ? known : positionals.map((name) => oneOf(known, name)),
    protocols: values.protocol.split(',').map((name) => oneOf(protocols, name)),
    providers: values.provider.split(',').filter((name) => name !== ''),
    size: readSize('size', values.size),
    ...(values.line !== undefined && { line: readSize('line', values.line) }),
    rounds: readCount('rounds', values.rounds),
    entries: readCount('entries', values.entries),
    database: oneOf(engines, values.database),
    verify: oneOf(verifyRules, values.verify),
  };
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} is a number from 1 on, not ${text}`);
  return count;
}

function readSize(name: string, text: string): number {
  const [, count, unit = ''] = /^(\d+)([KMG]iB)$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`--${name} is a number of KiB, MiB or GiB, not ${text}`);
  return Number(count) * (units[unit] ?? 1);
}

function oneOf<T extends string>(known: readonly T[], name: string): T {
  const found = known.find((one) => one === name);
  if (found === undefined) throw new Error(`there is no ${name}; there are ${known.join(', ')}`);
  return found;
}
