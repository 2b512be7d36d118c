/** What uploads have begun at sources and not ended. Times are epoch seconds. */
export interface LeftoverTables {
  leftover: {
    id: string;
    linkId: string;
    /** What the link's connector needs to remove it. */
    note: string;
    begunAt: number;
    /** When it may be cleared up; whoever works on it, the upload itself included, puts that off. */
    dueAt: number;
    /** Of a move or copy of many steps: what it is, and the paths of the link. Null for uploads. */
    kind: 'move' | 'copy' | null;
    fromPath: string | null;
    toPath: string | null;
    /** 1 while nobody works on it because the last attempt has failed; it is retried at `dueAt`. */
    isFailed: number;
  };
}
