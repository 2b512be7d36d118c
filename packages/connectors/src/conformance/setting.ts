import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { ByteRange, Connector, Entry, WriteOptions } from '../core/connector.ts';
import type { HashName } from '../core/hashes.ts';
import type { Operation } from '../core/operations.ts';
import { collect } from '../kit/body/body.ts';
import { joinPath } from '../kit/names/path.ts';

/** Properties of a source that its methods do not show. */
export interface Traits {
  /** Operations that the source does not support. All others must exist and keep their promises. */
  readonly lacks?: readonly Operation[];
  /** Supported ones among thumbnail, search, usage and changes. */
  readonly offers?: readonly Operation[];
  /** A picture of which the source makes thumbnails, and the extension of its file name; required where the source offers thumbnails. */
  readonly picture?: { readonly bytes: Uint8Array; readonly extension: string };
  /** Called before a search or a request for changes, if the source needs time to index changes. */
  readonly settle?: () => Promise<void>;
  /** A writable folder; the link's root by default. */
  readonly root?: string;
  /** Creates an empty folder at the source itself and returns its path, if the connector cannot create one. */
  readonly freshFolder?: () => Promise<string>;
  /** Names from names.ts that the source cannot store: writing one must be refused with `badName`. */
  readonly badNames?: readonly string[];
  /** Names that the server under test stores but never lists, so that nothing can be promised for them. */
  readonly unlistedNames?: readonly string[];
  /** The source stores no empty files: writing one must be refused with `unsupported`. */
  readonly noEmptyFiles?: boolean;
  /** The source keeps the time given to `write`. */
  readonly keepsModified?: boolean;
  /** The source can copy only files: copying a folder must be refused with `unsupported`. */
  readonly copiesOnlyFiles?: boolean;
  /** Folders exist through their content, so that a missing parent is no obstacle. */
  readonly freeParents?: boolean;
  /** Actual content of a folder at the source, including hidden entries; lets the suite look for remains of failed writes. */
  readonly reallyIn?: (folder: string) => Promise<readonly string[]>;
  /** Number of entries in the large folder; 3,000 by default. Must exceed one page where the source has pages. */
  readonly many?: number;
  /**
   * Creates files of one byte in a folder directly at the source. If given, the suite itself writes only the first 300 entries of the large
   * folder.
   */
  readonly fill?: (folder: string, names: readonly string[]) => Promise<void>;
  /** Hashes that the source reports for files that the suite writes. */
  readonly hashes?: readonly HashName[];
  /**
   * The kind of bin: hidden, or the source's own if Sheaf can list it; absent where there is none. `files`: the source's bin lists files
   * only.
   */
  readonly bin?: 'hidden' | { readonly lists: boolean | 'files'; readonly purges: boolean };
  /** A replaced file cannot be kept: the source can neither copy it nor move it right before the replacement. */
  readonly losesReplaced?: true;
  /** The source keeps versions of files that are replaced. `unlisted`: they can be restored, but neither listed nor read. */
  readonly versions?: true | 'unlisted';
  /** The service copies files between links. */
  readonly copiesBetweenLinks?: boolean;
  /** The source supports resumable uploads. */
  readonly resumes?: {
    /** Opens a second connector to the same account, as another process would. */
    readonly reopen: () => Promise<Connector>;
    /** Bytes of a part of a file in two parts; 16 MiB by default. */
    readonly partSize?: number;
  };
  /** The source accepts numbered parts of any size. */
  readonly numbered?: boolean;
  /** Concurrent writes while the suite fills a folder; 8 by default. */
  readonly parallel?: number;
}

/** A connector under test, with shorthands for its calls. */
export interface Setting {
  readonly id: string;
  readonly traits: Traits;
  readonly connector: () => Connector;
  /** Whether the source supports the operation, according to its traits. */
  readonly can: (operation: Operation) => boolean;
  /** Creates an empty folder and returns its path. */
  readonly folder: () => Promise<string>;
  readonly put: (path: string, bytes: string | Uint8Array | Readable, ask?: Partial<WriteOptions>) => Promise<Entry>;
  readonly get: (path: string, range?: ByteRange) => Promise<Buffer>;
  /** Returns the folder's entries by name; asserts that no name occurs twice. */
  readonly listed: (folder: string) => Promise<Map<string, Entry>>;
  readonly createFolder: (path: string) => Promise<Entry>;
  readonly rename: (path: string, newName: string) => Promise<Entry>;
  readonly move: (from: string, to: string) => Promise<Entry>;
  readonly copy: (from: string, to: string) => Promise<Entry>;
  readonly remove: (path: string) => Promise<void>;
  /**
   * Registers a test of a promise; skips it if, according to the traits, the source lacks a required operation or cannot create a folder.
   */
  readonly promise: (title: string, needs: readonly Operation[], run: () => Promise<void>) => void;
}

/** Timeout of one minute for a call: a hanging call fails its test instead of blocking the suite. */
export const ask = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(60_000) });

export function createSetting(id: string, connector: () => Connector, traits: Traits): Setting {
  let folders = 0;
  const can = (operation: Operation): boolean => !traits.lacks?.includes(operation);
  const hasFolders = can('createFolder') || traits.freshFolder !== undefined;
  const setting: Setting = {
    id,
    traits,
    connector,
    can,
    async folder() {
      if (traits.freshFolder) return traits.freshFolder();
      folders += 1;
      const path = joinPath(traits.root ?? '/', `conformance-${folders}`);
      await setting.createFolder(path);
      return path;
    },
    put(path, bytes, options = {}) {
      const size = bytes instanceof Readable ? {} : { size: Buffer.byteLength(bytes) };
      const body = bytes instanceof Readable ? bytes : Readable.from([Buffer.from(bytes)]);
      return connector().write?.(path, body, { ...ask(), ifExists: 'replace', ...size, ...options }) ?? lacking(id, 'write');
    },
    async get(path, range) {
      return collect(await connector().read(path, { ...ask(), ...(range && { range }) }));
    },
    async listed(folder) {
      const entries = new Map<string, Entry>();
      for await (const batch of connector().list(folder, ask()))
        for (const entry of batch) {
          assert.ok(!entries.has(entry.name), `${entry.name} is listed twice`);
          entries.set(entry.name, entry);
        }
      return entries;
    },
    createFolder: (path) => connector().createFolder?.(path, ask()) ?? lacking(id, 'createFolder'),
    rename: (path, newName) => connector().rename?.(path, newName, ask()) ?? lacking(id, 'rename'),
    move: (from, to) => connector().move?.(from, to, ask()) ?? lacking(id, 'move'),
    copy: (from, to) => connector().copy?.(from, to, ask()) ?? lacking(id, 'copy'),
    remove: (path) => connector().remove?.(path, ask()) ?? lacking(id, 'remove'),
    promise(title, needs, run) {
      if (hasFolders && needs.every(can)) test(title, run);
    },
  };
  return setting;
}

/** Fills a folder of a source whose root is a local folder that the source's own user can read. */
export const fillOnDisk =
  (home: () => string): NonNullable<Traits['fill']> =>
  async (folder, names) => {
    for (const name of names) await writeFile(join(home(), folder, name), 'x', { mode: 0o644 });
  };

const lacking = (id: string, operation: Operation): never => assert.fail(`${id} has no ${operation}, and its traits do not say so`);

/** Asserts that the folder contains exactly these names, at the source itself if the suite has access. */
export async function assertHolds(setting: Setting, folder: string, names: readonly string[]): Promise<void> {
  assert.deepEqual([...(await setting.listed(folder)).keys()].sort(), [...names].sort());
  if (setting.traits.reallyIn) assert.deepEqual([...(await setting.traits.reallyIn(folder))].sort(), [...names].sort());
}
