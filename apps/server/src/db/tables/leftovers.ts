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
  };
}
