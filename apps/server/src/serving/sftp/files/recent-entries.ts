import type { Entry } from '@sheaf/connectors';

/** Milliseconds for which an entry counts as what the storage has. */
const recentFor = 2000;
/** Entries that are remembered. */
const mostRecent = 1000;

/**
 * What a session has just learnt of the storage. sshfs asks for a file before it opens it, and after it has closed it to set its time and to show it: a
 * storage whose folders are prefixes of keys takes two requests to answer that nothing is there. Other sessions, perhaps at another instance, change
 * files too. So each lookup that finds nothing asks anew, and a stored file answers one.
 */
export function createRecentEntries(now: () => number) {
  /** Stored files; undefined where nothing was. */
  const entries = new Map<string, { readonly entry: Entry | undefined; readonly until: number }>();
  let changes = 0;
  function keep(path: string, entry: Entry | undefined): void {
    if (entries.size >= mostRecent) entries.clear();
    entries.set(path, { entry, until: now() + recentFor });
  }
  function find(path: string) {
    const one = entries.get(path);
    return one && one.until > now() ? one : undefined;
  }
  return {
    /** Whether the last lookup has found nothing. */
    isMissing(path: string): boolean {
      const one = find(path);
      return one !== undefined && one.entry === undefined;
    },
    /** The file as it has just been stored. */
    stored: (path: string): Entry | undefined => find(path)?.entry,
    /** The same, once. */
    takeStored(path: string): Entry | undefined {
      const entry = find(path)?.entry;
      entries.delete(path);
      return entry;
    },
    /** Call with a file that has just been stored. */
    noteStored(path: string, entry: Entry): void {
      changes++;
      keep(path, entry);
    },
    /** Call before asking for a path; the result notes that nothing was there, unless this session has changed something meanwhile. */
    asking(path: string): () => void {
      const before = changes;
      return () => {
        if (changes === before) keep(path, undefined);
      };
    },
    /** Call before the file changes. */
    forget(path: string): void {
      changes++;
      entries.delete(path);
    },
    /** Call before and after changes that concern more than one file. */
    forgetAll(): void {
      changes++;
      entries.clear();
    },
  };
}
