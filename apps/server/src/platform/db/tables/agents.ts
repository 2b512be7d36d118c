/** Programs that act through the Model Context Protocol. Times are epoch seconds, hashes SHA-256 in base64url. */
export interface AgentTables {
  /** A program that has registered itself (RFC 7591). */
  agent_client: {
    id: string;
    name: string;
    /** JSON list. */
    redirectUris: string;
    createdAt: number;
  };
  /** What a person has allowed one program. */
  agent: {
    id: string;
    accountId: string;
    clientId: string;
    name: string;
    host: string;
    /** JSON list of linkUris; empty: everything. */
    folders: string;
    rights: 'read' | 'write';
    /** The address that its tokens are for (RFC 8707). */
    resource: string;
    redirectUri: string;
    codeHash: string;
    codeChallenge: string;
    codeEndsAt: number;
    /** Null until the code has been exchanged, as are the next two. */
    accessHash: string | null;
    accessEndsAt: number | null;
    refreshHash: string | null;
    /** Hash of the beginning that the agent's refresh tokens share: a spent one shows that a token was stolen. */
    familyHash: string | null;
    createdAt: number;
    expiresAt: number | null;
    lastUsedAt: number | null;
  };
  /** What an agent has planned and a person decides. */
  agent_plan: {
    id: string;
    accountId: string;
    /** Of an agent that may have been revoked since. */
    agentId: string;
    agentName: string;
    kind: 'copy' | 'move' | 'delete' | 'share';
    /** JSON list of the items, as they were. */
    items: string;
    reason: string | null;
    expirationSeconds: number | null;
    transferId: string | null;
    target: string | null;
    state: 'waiting' | 'running' | 'done' | 'failed' | 'refused';
    problem: string | null;
    shareUrl: string | null;
    createdAt: number;
    decidedAt: number | null;
  };
}
