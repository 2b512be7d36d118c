/** Files that were replaced and are brought back together. */
export interface Replaced {
  readonly undoId: string;
  readonly files: number;
  /** One of them, and the folder that holds it. */
  readonly name: string;
  readonly folderUri: string;
}

interface Stored {
  readonly batch: number;
  readonly undoId: string;
  readonly name: string;
  readonly folderUri: string;
}

/** Collects what files chosen together have replaced, and shows one message once all of them have ended. */
export function createReplacements(newUndoId: () => string) {
  const ids = new Map<number, string>();
  const replaced = new Map<number, Map<string, Replaced>>();
  const listeners = new Set<(replaced: Replaced) => void>();
  return {
    /** The id by which the batch is undone. */
    undoIdOf(batch: number): string {
      const id = ids.get(batch) ?? newUndoId();
      ids.set(batch, id);
      return id;
    },
    /** A file has replaced another one; an upload that was begun before a reload has an id of its own. */
    note({ batch, undoId, name, folderUri }: Stored): void {
      const all = replaced.get(batch) ?? new Map<string, Replaced>();
      all.set(undoId, { undoId, files: (all.get(undoId)?.files ?? 0) + 1, name, folderUri });
      replaced.set(batch, all);
    },
    /** All files of the batch have ended. */
    ended(batch: number): void {
      for (const one of replaced.get(batch)?.values() ?? []) for (const listener of listeners) listener(one);
      replaced.delete(batch);
      // A file that is tried again later is undone by itself.
      ids.delete(batch);
    },
    subscribe(listener: (replaced: Replaced) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
