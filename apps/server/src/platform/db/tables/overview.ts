/** What the home page shows of links. Times are epoch seconds. */
export interface OverviewTables {
  /** Room at a link's source. */
  link_room: {
    linkId: string;
    /** Bytes; null where the source reports nothing, or no limit. */
    used: number | null;
    total: number | null;
    /** When the source last reported it. */
    toldAt: number | null;
    /** When it was last asked, successfully or not. */
    askedAt: number;
  };
  /** New items that a look into a known folder has found. */
  link_arrival: {
    linkId: string;
    /** Ordered by time. */
    id: string;
    /** The folder. */
    path: string;
    /** One of the items. */
    name: string;
    isFolder: number;
    count: number;
    at: number;
  };
}
