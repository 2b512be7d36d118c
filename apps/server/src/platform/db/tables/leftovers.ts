/** Operations at sources that have begun and not ended. Times are epoch seconds. */
export interface LeftoverTables {
  leftover: {
    id: string;
    linkId: string;
    /** The connector's data for removing the remains. */
    note: string;
    begunAt: number;
    /** When it may be cleaned up; a running upload postpones this. */
    dueAt: number;
    /** Set for a move or copy of many steps, with the link's paths. Null for uploads. */
    kind: 'move' | 'copy' | null;
    fromPath: string | null;
    toPath: string | null;
    /** 1 when the last attempt has failed and nobody works on it; retried at `dueAt`. */
    isFailed: number;
  };
}
