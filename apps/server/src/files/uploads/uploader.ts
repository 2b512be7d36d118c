/** For whom an upload is: a user, or a visitor of a share that takes uploads. */
export interface Uploader {
  /** The user, or the share's owner, with whose rights its visitors' files are stored. */
  readonly userId: string;
  readonly share?: {
    readonly weblinkId: string;
    /** A MAC of the visitor's network. */
    readonly visitor: string;
    /** The shared folder. */
    readonly parentLinkUri: string;
  };
}

/** Key by which what one uploader does at once is counted: visitors of a share never use up what its owner may do. */
export const keyOf = ({ userId, share }: Uploader): string => (share ? `share ${share.weblinkId}` : userId);

/** Key of one network's visitors of a share, of whose places they may take only some; undefined for a user. */
export const networkKeyOf = ({ share }: Uploader): string | undefined => share && `share ${share.weblinkId} ${share.visitor}`;
