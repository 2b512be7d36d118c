/** Device authorization (RFC 8628). Times are epoch seconds, hashes base64url. */
export interface DeviceRequestTables {
  /** A program that waits until a person confirms the code it shows. */
  device_request: {
    /** SHA-256 of the code that the program asks with. */
    deviceHash: string;
    /** Keyed hash of the code that it shows: that one is too short for a hash that anybody can compute. */
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
    /** A confirmed one is deleted when its program fetches what it waits for. */
    state: 'pending' | 'confirmed' | 'refused';
    /** Least seconds between two questions. */
    pollInterval: number;
    polledAt: number | null;
    createdAt: number;
    expiresAt: number;
  };
}
