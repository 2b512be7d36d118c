/** Folders whose contents are encrypted. Times are epoch seconds, truths are 0 or 1. */
export interface EncryptionTables {
  encryption_folder: {
    id: string;
    accountId: string;
    name: string;
    /** The link that holds the encrypted files; unlinked, its folders are not listed any more. */
    linkId: string;
    /** The folder in that link. */
    path: string;
    createdAt: number;
  };
  /** What an account has chosen; an account without a row has chosen nothing. */
  encryption_setting: {
    accountId: string;
    /** The encryption root is shown among the links. */
    rootView: number;
  };
}
