/** What accounts pinned and used lately, and their order of links. Times are epoch seconds. */
export interface PlaceTables {
  place: {
    accountId: string;
    kind: 'pin' | 'recent';
    linkId: string;
    path: string;
    /** Short and unique for the path, which may be too long for an index. */
    pathKey: string;
    isFolder: number;
    /** Pins in ascending order; 0 for recents. */
    position: number;
    at: number;
  };
  link_order: {
    accountId: string;
    linkId: string;
    position: number;
  };
}
