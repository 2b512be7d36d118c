/** Automatic mails. Times are epoch seconds, booleans are 0 or 1. */
export interface NoticeTables {
  /** A link that needs or needed attention. */
  link_notice: {
    linkId: string;
    /** When the failure was first seen; null while the link works. */
    since: number | null;
    /** When the last mail was sent. */
    toldAt: number | null;
  };
  /** Mails sent about the end of a trial; each kind once. */
  trial_notice: {
    subscriptionId: string;
    kind: string;
    toldAt: number;
  };
  /** Accounts that have changed the setting; all others get mails. */
  notice_setting: {
    accountId: string;
    links: number;
  };
}
