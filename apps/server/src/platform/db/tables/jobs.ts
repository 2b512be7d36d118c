/** Background jobs. Times are epoch milliseconds. */
export interface JobTables {
  job: {
    /** Owner of the job: the id of a link, account or organisation, or `system`. Leads the key, so that one scope's rows lie together. */
    scope: string;
    /** Made by the enqueuing process, never by a sequence that all instances share. */
    id: string;
    kind: string;
    /** JSON. */
    payload: string;
    /** JSON that the handler stores to resume from. */
    progress: string | null;
    /** ready, running, held (its lane is full), done, dead (all attempts failed) or cancelled. */
    state: string;
    /** 0 is claimed first. */
    priority: number;
    /** When it may be claimed: the start time while ready, the end of the lease while running, null otherwise. */
    dueAt: number | null;
    /** Claims since the last success. */
    attempts: number;
    /** Incremented by each claim; a worker's write counts only under the epoch it claimed. */
    epoch: number;
    /** The runner that holds the lease. */
    holder: string | null;
    isCancelled: number;
    /** At most one job of a scope and kind has the same key. */
    dedupeKey: string | null;
    /** Jobs of one lane run `laneLimit` at a time. */
    lane: string | null;
    laneLimit: number | null;
    createdAt: number;
    finishedAt: number | null;
    /** Time of the last failure; null once an attempt succeeds. */
    failedAt: number | null;
    /** Why the last attempt failed. */
    reason: string | null;
  };
}
