/** Links of users. Times are epoch seconds. */
export interface LinkTables {
  link: {
    /** The userLinkId. */
    id: string;
    accountId: string;
    /** The catalogue's provider. */
    provider: string;
    sourceType: string;
    name: string;
    /** Lower case and NFC; unique among a user's links. */
    nameKey: string;
    /** Account name for display. */
    account: string;
    /** Equal for two links to the same account on the same server. */
    identity: string;
    /** Connection info as JSON, without its secrets. */
    info: string;
    state: string;
    /** When the source last answered or refused a request. */
    checkedAt: number | null;
    /** Why the link needs attention. */
    attention: string | null;
    createdAt: number;
    /** Changes with every save: connections opened under an older revision are outdated. */
    revision: number;
  };
  /** Secrets of the connection info, sealed by the vault. */
  link_secret: {
    linkId: string;
    field: string;
    sealed: string;
  };
  /** A connector's state of a link, such as the server's host key; also whether its owner still has to claim it. */
  link_fact: {
    linkId: string;
    fact: string;
    value: string;
  };
}
