/** Mails that are sent by themselves. Times are epoch seconds, truths are 0 or 1. */
export interface NoticeTables {
  /** A link that needs or needed attention. */
  link_notice: {
    linkId: string;
    /** Since when, as far as it was seen; null while it works. */
    since: number | null;
    /** When somebody was last told. */
    toldAt: number | null;
  };
  /** What was told of the end of a trial; each kind once. */
  trial_notice: {
    subscriptionId: string;
    kind: string;
    toldAt: number;
  };
  /** Accounts that have chosen; all others are told. */
  notice_setting: {
    accountId: string;
    links: number;
  };
}
