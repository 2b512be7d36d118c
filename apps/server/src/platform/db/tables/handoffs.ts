/** Command-line clients and what they ask their user for. Times are epoch seconds, truths are 0 or 1. */
export interface HandoffTables {
  /** Made by the user on the profile page; whoever has the code may make tokens. */
  auth_code: {
    /** Shown in the list of codes; opens nothing. */
    id: string;
    /** SHA-256 of the code, base64url. */
    codeHash: string;
    accountId: string;
    name: string;
    createdAt: number;
  };
  /** What a command-line client sends with each call; goes with its code. */
  auth_token: {
    id: string;
    /** SHA-256 of the token, base64url. */
    tokenHash: string;
    codeId: string;
    accountId: string;
    userAgent: string;
    address: string;
    createdAt: number;
    lastSeenAt: number;
    expiresAt: number;
  };
  /** A program waits for its user to choose a folder. */
  handoff: {
    /** SHA-256 of the process token, base64url. */
    tokenHash: string;
    accountId: string;
    action: string;
    name: string;
    state: string;
    destinationPath: string | null;
    linkUri: string | null;
    expiresAt: number;
  };
}
