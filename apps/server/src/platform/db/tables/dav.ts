/** Locks and dead properties of WebDAV. Paths are those of the link that stores the item, so that members of a Space and its owner share them. */
export interface DavTables {
  dav_lock: {
    /** A URI, as clients submit it. */
    token: string;
    linkId: string;
    path: string;
    accountId: string;
    isShared: number;
    /** Whether it covers everything below. */
    isDeep: number;
    /** What the client told about its owner, as XML. */
    owner: string;
    /** The time for which it was granted. */
    seconds: number;
    /** Epoch seconds. */
    expiresAt: number;
  };
  dav_property: {
    linkId: string;
    path: string;
    /** Of the path, of the folder's path, and of namespace and name. */
    pathHash: string;
    folderHash: string;
    nameHash: string;
    space: string;
    name: string;
    /** XML. */
    value: string;
  };
}
