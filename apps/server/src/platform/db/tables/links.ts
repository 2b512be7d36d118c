/** What users have linked. Times are epoch seconds. */
export interface LinkTables {
  link: {
    /** The userLinkId. */
    id: string;
    accountId: string;
    /** The catalogue's provider. */
    provider: string;
    sourceType: string;
    name: string;
    /** Lower case and NFC: what is unique among a user's links. */
    nameKey: string;
    /** What is shown as the account. */
    account: string;
    /** The same for two links to the same account on the same server. */
    identity: string;
    /** Connection info as JSON, without its secrets. */
    info: string;
    state: string;
    /** When the source last answered or refused. */
    checkedAt: number | null;
    /** Why the link needs attention. */
    attention: string | null;
    createdAt: number;
    /** Another number after every save: an open connection made before it is out of date. */
    revision: number;
  };
  /** Secrets of connection info, sealed by the vault. */
  link_secret: {
    linkId: string;
    field: string;
    sealed: string;
  };
  /** What a connector remembers about a link, such as the server's host key; and whether its owner has still to say that it is theirs. */
  link_fact: {
    linkId: string;
    fact: string;
    value: string;
  };
}
