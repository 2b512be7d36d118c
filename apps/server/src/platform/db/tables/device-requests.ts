/** Device authorization (RFC 8628). Times are epoch seconds, hashes base64url. */
export interface DeviceRequestTables {
  /** A program that waits until a person confirms the code it shows. */
  device_request: {
    /** SHA-256 of the code that the program asks with. */
    deviceHash: string;
    /** Keyed hash of the code that it shows, which is so short that a plain hash could be reversed. */
    userHash: string;
    wish: 'signIn' | 'drive';
    /** Of a drive, whose program is signed in; else null until somebody confirms. */
    accountId: string | null;
    /** The computer's name, as the program says. */
    name: string;
    /** JSON list of linkUris; empty: everything. */
    folders: string;
    rights: 'read' | 'write';
    userAgent: string;
    address: string;
    /** A confirmed request is deleted when its program fetches the result. */
    state: 'pending' | 'confirmed' | 'refused';
    /** Least seconds between two polls. */
    pollInterval: number;
    polledAt: number | null;
    createdAt: number;
    expiresAt: number;
  };
}
