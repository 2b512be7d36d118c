import { Type } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import type { LeftoverNote, Leftovers, NotedTransfer } from '../../core/leftovers.ts';
import { inParallel } from '../concurrency/parallel.ts';
import { parseJson } from '../rest/json.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { copyObject, copyTree, objectsUnder, removeCopied, removeObjects, versionOf } from './object-tree.ts';

/** Concurrent copies. */
const copyWidth = 8;

/** A move or copy inside a store: from one key to another, or from one prefix, which ends in `/`, to another. */
export interface Move {
  readonly kind: NotedTransfer['kind'];
  readonly from: string;
  readonly to: string;
}

/** Source and destination as paths of the link, as users know them. */
interface Paths {
  readonly from: string;
  readonly to: string;
}

const Keys = Type.Tuple([Type.String(), Type.String()]);
const Note = Type.Union([Type.Object({ move: Keys }), Type.Object({ copy: Keys })]);

const noteOf = ({ kind, from, to }: Move): string => JSON.stringify({ [kind]: [from, to] });

/** Parses the move or copy in a note; undefined for any other note. */
export function parseMove(note: string): Move | undefined {
  if (!/^\{"(?:move|copy)":/.test(note)) return undefined;
  const parsed = parseJson(Note, note);
  const [kind, [from, to]] = 'move' in parsed ? (['move', parsed.move] as const) : (['copy', parsed.copy] as const);
  return { kind, from, to };
}

interface Options {
  readonly store: ObjectStore;
  readonly leftovers: Leftovers;
  /** Keys that are not moved. */
  readonly skip: (key: string) => boolean;
}

/**
 * Moves, and copies of folders, in stores that can only copy and delete objects. Each is recorded in a note, so that another process
 * finishes what a killed one has begun. Deletes the originals of a move only after everything was copied, and only while a copy of the same
 * version exists.
 */
export function createMoves({ store, leftovers, skip }: Options) {
  /** Copies, and then deletes the originals within `afterCopy`. If deleting fails, the note is kept, and the rest is deleted later. */
  async function run(
    move: Move,
    paths: Paths,
    copy: (note: LeftoverNote) => Promise<() => Promise<void>>,
    afterCopy: (remove: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const note = leftovers.note(noteOf(move), { kind: move.kind, from: paths.from, to: paths.to });
    await note.kept;
    const remove = await copy(note);
    try {
      await afterCopy(remove);
    } catch (error) {
      note.stays();
      throw error;
    }
    note.gone();
  }

  /** Copies objects that have no copy yet. For a move, also deletes originals that have one. */
  async function finishTree({ kind, from, to }: Move, ask: CallOptions): Promise<void> {
    const copies = new Map<string, StoredObject>();
    for await (const object of objectsUnder(store, to, ask, () => false)) copies.set(object.key.slice(to.length), object);
    // The move or copy had not begun, or its results have been deleted since.
    if (copies.size === 0) return;
    const copied = new Map<string, string>();
    await inParallel(objectsUnder(store, from, ask, skip), copyWidth, async (original) => {
      const part = original.key.slice(from.length);
      const copy = copies.get(part);
      if (!copy) await copyObject(store, original, to + part, ask);
      else if (!isCopyOf(copy, original)) return;
      copied.set(part, versionOf(original));
    });
    if (kind === 'move') await removeCopied(store, from, copied, { ...ask, skip });
  }

  async function finishObject({ from, to }: Move, ask: CallOptions): Promise<void> {
    const [original, copy] = await Promise.all([store.head(from, ask), store.head(to, ask)]);
    if (original && copy && isCopyOf(copy, original)) await removeObjects(store, [from], ask);
  }

  /** Copies a folder; removes all copies on failure. */
  async function copyFolder(move: Move, ask: CallOptions, note: LeftoverNote): Promise<() => Promise<void>> {
    const copied = await copyTree(store, move.from, move.to, { ...ask, skip, note });
    return () => removeCopied(store, move.from, copied, { ...ask, skip });
  }

  return {
    /** Moves every object under the prefix `from` to the prefix `to`. */
    tree: (
      from: string,
      to: string,
      paths: Paths,
      ask: CallOptions,
      afterCopy: (remove: () => Promise<void>) => Promise<void>,
    ): Promise<void> => {
      const move = { kind: 'move', from, to } as const;
      return run(move, paths, (note) => copyFolder(move, ask, note), afterCopy);
    },

    /** Copies every object under `from`. */
    copyTree: (from: string, to: string, paths: Paths, ask: CallOptions): Promise<void> => {
      const move = { kind: 'copy', from, to } as const;
      return run(
        move,
        paths,
        (note) => copyFolder(move, ask, note),
        async () => undefined,
      );
    },

    object: (
      file: StoredObject,
      to: string,
      paths: Paths,
      ask: CallOptions,
      afterCopy: (remove: () => Promise<void>) => Promise<void>,
    ): Promise<void> =>
      run(
        { kind: 'move', from: file.key, to },
        paths,
        async (note) => {
          try {
            await copyObject(store, file, to, ask);
          } catch (error) {
            // A single copy is complete or absent; if that is unknown, the next process checks.
            note.stays();
            throw error;
          }
          return async () => {
            const current = await store.head(file.key, ask);
            // Objects written there in the meantime are not part of this move.
            if (current && versionOf(current) === versionOf(file)) await removeObjects(store, [file.key], ask);
          };
        },
        afterCopy,
      ),

    /** Finishes what another process has begun; idempotent. Deletes no original without a copy. */
    finish: (move: Move, ask: CallOptions): Promise<void> => (move.from.endsWith('/') ? finishTree(move, ask) : finishObject(move, ask)),
  };
}

/** Whether an etag is an MD5, as S3 reports it for objects stored in one request. */
const isHash = (etag: string): boolean => /^"?[\da-f]{32}"?$/i.test(etag);

/**
 * Whether an object is the copy of another, as far as a store reports it: most give each version its own etag. A copy is newer than its
 * original; an original written later, or in the same second, is kept.
 */
function isCopyOf(copy: StoredObject, original: StoredObject): boolean {
  if (copy.size !== original.size) return false;
  const [one = '', other = ''] = [copy.etag, original.etag];
  if (one !== '' && one === other) return true;
  if (isHash(one) && isHash(other)) return false;
  return copy.modified !== undefined && original.modified !== undefined && copy.modified > original.modified;
}
