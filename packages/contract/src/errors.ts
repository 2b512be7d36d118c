interface ErrorRow {
  /** The number on the wire: never reused, never renumbered. */
  readonly code: number;
  /** HTTP status of the answer. */
  readonly status: number;
  /** What the user reads; {slots} are filled from the error's details. */
  readonly text: string;
}

/** The error catalogue. Codes up to 655 are the specification's; those from 700 on are ours. */
export const errorTable = {
  INVALID_SESSION: { code: 104, status: 401, text: 'Your session has expired. Please sign in again.' },
  MISSING_PARAMETER: { code: 107, status: 400, text: 'Some required information is missing. Please check the form and try again.' },
  MISSING_USER_NAME: { code: 107, status: 400, text: 'Please enter a user name.' },
  MISSING_HOST: { code: 107, status: 400, text: 'Please enter the host.' },
  NO_SCHEMA_SUPPLIED: { code: 107, status: 400, text: 'No schema supplied in the server address.' },
  INVALID_CONNECTION_JSON: { code: 107, status: 400, text: 'The connection JSON is not valid.' },
  INVALID_KEY_FILE: {
    code: 107,
    status: 400,
    text: 'The key file contents could not be read. Please paste a private key in OpenSSH or PEM form.',
  },
  INVALID_PARAMETER: { code: 107, status: 400, text: 'Please check {field} and try again.' },
  INVALID_SOURCE_TYPE: { code: 111, status: 400, text: 'This type of storage is not supported.' },
  NO_BACKUP_SUBSCRIPTION: { code: 116, status: 403, text: 'You need a Backup subscription to use this folder.' },
  SPACE_UNCHANGEABLE: { code: 117, status: 409, text: 'This space cannot be changed right now.' },
  NOT_ELIGIBLE: { code: 124, status: 403, text: 'Your account is not eligible for this subscription.' },
  INVALID_SPACE_FOLDER: { code: 202, status: 400, text: 'This folder cannot be used for a space. Please choose a different folder.' },
  INVALID_NAME: { code: 222, status: 400, text: 'Name cannot contain invalid characters : / \\ < > ? * |' },
  NAME_TOO_LONG: { code: 222, status: 400, text: 'Please choose a name of at most {length} characters.' },
  INVALID_LINK_URI: { code: 351, status: 404, text: 'This link could not be found. It may have been unlinked.' },
  INVALID_SHARE_URI: { code: 415, status: 404, text: 'This item cannot be shared because its address is not valid.' },
  ACCOUNT_MISMATCH: { code: 419, status: 409, text: 'You signed in with a different account than the one this link uses.' },
  DUPLICATE_LINK: { code: 420, status: 409, text: 'You have already linked this account.' },
  DUPLICATE_LINK_NAME: { code: 421, status: 409, text: 'You already have a link named {name}. Please enter a different name.' },
  INVALID_CREDENTIALS: { code: 422, status: 422, text: 'The user name or password is not correct.' },
  WRONG_PASSPHRASE: { code: 422, status: 422, text: 'The passphrase does not open the key file.' },
  INVALID_KEY: { code: 424, status: 422, text: 'The access key is not valid.' },
  INVALID_SIGNATURE: { code: 425, status: 422, text: 'The signature does not match. Please check the secret key.' },
  BUCKET_NOT_FOUND: { code: 426, status: 422, text: 'The bucket was not found. Please check the bucket name.' },
  DUPLICATE_SPACE_NAME: { code: 429, status: 409, text: 'You already have an space named {name}. Please enter a different name.' },
  PAYMENT_FAILED: { code: 610, status: 400, text: 'The payment could not be processed. Please try again later.' },
  BILLING_INVALID: {
    code: 611,
    status: 400,
    text: 'Your billing information is not valid. Click CONTINUE to update your billing information.',
  },
  BILLING_OUTDATED: { code: 612, status: 400, text: 'Your billing information is missing or out of date. Click CONTINUE to update it.' },
  SUBSCRIPTION_EXPIRED: { code: 614, status: 409, text: 'Your subscription has expired.' },
  CANNOT_CONNECT: {
    code: 652,
    status: 502,
    text: 'Cannot connect to {provider} server. Please check your network connection and try again later.',
  },
  CERTIFICATE_NAME_MISMATCH: { code: 653, status: 502, text: 'Invalid SSL certificate. Name Mismatch.' },
  AUTH_TYPE_MISMATCH: {
    code: 654,
    status: 502,
    text: 'The authentication type does not match the server. Please choose a different authentication type.',
  },
  CERTIFICATE_MISSING: { code: 655, status: 502, text: 'Invalid SSL certificate. The SSL certificate is missing.' },
  CERTIFICATE_EXPIRED: { code: 655, status: 502, text: 'Invalid SSL certificate. It expired on {day}.' },
  CERTIFICATE_NOT_YET_VALID: { code: 655, status: 502, text: 'Invalid SSL certificate. It is not valid before {day}.' },
  CERTIFICATE_SELF_SIGNED: { code: 655, status: 502, text: 'Invalid SSL certificate. The server has signed it itself.' },
  CERTIFICATE_UNTRUSTED: { code: 655, status: 502, text: 'Invalid SSL certificate. It comes from an authority that is not trusted here.' },

  HOST_KEY_CHANGED: {
    code: 700,
    status: 502,
    text: 'The host key of {provider} has changed. It is now {fingerprint}. This happens when a server is rebuilt, or when someone stands in between. Accept it only if you expected it.',
  },
  ITEM_NOT_FOUND: { code: 701, status: 404, text: '{name} no longer exists.' },
  NAME_TAKEN: { code: 702, status: 409, text: 'There is already an item named {name}.' },
  RENAME_UNDER_WAY: {
    code: 775,
    status: 409,
    text: 'Sheaf is still renaming {name}. Please try again in a moment.',
  },
  SOURCE_FORBIDS: { code: 703, status: 403, text: '{provider} does not allow this.' },
  SOURCE_CANNOT: { code: 704, status: 400, text: '{provider} cannot do this.' },
  SOURCE_TIMEOUT: { code: 705, status: 504, text: '{provider} did not answer in time. Please try again.' },
  TRANSFER_CUT: { code: 706, status: 502, text: '{provider} closed the connection before everything had arrived. Please try again.' },
  NOT_A_FOLDER: { code: 707, status: 409, text: '{name} is not a folder.' },
  IS_A_FOLDER: { code: 708, status: 409, text: '{name} is a folder.' },
  SOURCE_FULL: { code: 709, status: 507, text: '{provider} has no room left for this.' },
  FILE_NAME_REFUSED: { code: 710, status: 400, text: '{provider} cannot store an item named {name}.' },
  SOURCE_BUSY: { code: 711, status: 503, text: '{provider} asks us to slow down. Please try again in a moment.' },
  FOLDER_NOT_EMPTY: { code: 712, status: 409, text: '{name} is not empty.' },
  SOURCE_CONFUSED: { code: 713, status: 502, text: '{provider} gave an answer that could not be understood.' },
  SOURCE_FAILED: {
    code: 743,
    status: 502,
    text: '{provider} reported an error of its own and did not do this. It may be read-only, or in trouble.',
  },
  RANGE_NOT_SATISFIABLE: { code: 714, status: 416, text: 'The requested part lies outside the file.' },
  SIZE_DIFFERS: { code: 715, status: 400, text: 'The upload of {name} did not have the size that was announced. Nothing was changed.' },
  CERTIFICATE_CHANGED: {
    code: 716,
    status: 502,
    text: 'The certificate of {provider} has changed. Its fingerprint is now {fingerprint}. This happens when a certificate is renewed, or when someone stands in between. Trust it only if you expected it.',
  },
  WRONG_PROTOCOL: {
    code: 717,
    status: 502,
    text: 'There is a server at this address, but it is not a {protocol} server. Please check the address and the port.',
  },
  SERVER_MOVED: { code: 718, status: 502, text: 'The server has moved to {address}.' },
  ACCOUNT_KIND: {
    code: 738,
    status: 409,
    text: '{provider} needs a business account, signed in to by an administrator of its team. You signed in to another account, such as a personal one.',
  },
  NOT_FOUND: { code: 720, status: 404, text: 'This page or call does not exist.' },
  UNKNOWN_HOST: {
    code: 719,
    status: 421,
    text: 'Sheaf is not served under this name. Whoever runs it can allow the name with SHEAF_ALLOWED_HOSTS.',
  },
  NOT_AVAILABLE_YET: { code: 721, status: 501, text: 'This is not available yet.' },
  TOO_MANY_TRIES: { code: 722, status: 429, text: 'Too many attempts. Please wait {seconds} seconds and try again.' },
  TOO_MANY_CALLS: { code: 739, status: 429, text: 'Too many requests at once. Please try again in a moment.' },
  TOO_MANY_ITEMS: { code: 737, status: 400, text: 'One archive can be made of at most {most} items. Please select fewer.' },
  EMAIL_TAKEN: { code: 723, status: 409, text: 'There is already an account for this e-mail address. Please sign in.' },
  WEAK_PASSWORD: { code: 724, status: 400, text: 'Please choose a password of at least {length} characters.' },
  TOKEN_SPENT: { code: 725, status: 400, text: 'This link is no longer valid. Please ask for a new one.' },
  BODY_TOO_LARGE: { code: 726, status: 413, text: 'The request is too large.' },
  PROVIDER_NOT_SET_UP: { code: 727, status: 400, text: 'This provider is not configured on this installation.' },
  AUTHORIZATION_NEEDED: { code: 731, status: 409, text: '{provider} no longer lets Sheaf in. Please authorize Sheaf again.' },
  APPLICATION_REFUSED: {
    code: 732,
    status: 502,
    text: '{provider} refuses the application that is registered for this installation. Please tell whoever runs it.',
  },
  CONTENT_DAMAGED: {
    code: 733,
    status: 502,
    text: '{name} arrived damaged: it does not match what {provider} says of it. Please try again.',
  },
  SERVICE_CLOSED: { code: 734, status: 410, text: '{provider} gives other programs no access, so it cannot be linked.' },
  NOT_OPERATOR: { code: 735, status: 403, text: 'Only those who run this installation may do this.' },
  INVALID_AUTH_CODE: {
    code: 736,
    status: 422,
    text: 'This authentication code is not known, or it was revoked. Please make a new one on the profile page.',
  },
  NO_PICTURE: { code: 745, status: 422, text: 'No picture can be made of {name}.' },
  NO_TEXT: { code: 747, status: 422, text: '{name} has no text that can be shown.' },
  NOT_AN_ARCHIVE: { code: 746, status: 422, text: '{name} is not an archive that can be looked into.' },
  SPACE_UNLINKED: {
    code: 750,
    status: 409,
    text: '{owner} has unlinked the storage of {name}. Its files are still there, but cannot be reached through Sheaf.',
  },
  SPACE_EXPIRED: {
    code: 751,
    status: 409,
    text: "{owner}'s subscription to Spaces has ended. The files of {name} are kept where they are and can be reached again when it is renewed.",
  },
  SPACE_EXPIRED_OWN: {
    code: 759,
    status: 409,
    text: 'Your subscription to Spaces has ended. The files of {name} are kept where they are and can be reached again when you renew it.',
  },
  SPACE_TROUBLE: {
    code: 752,
    status: 503,
    text: 'The storage of {name} does not let Sheaf in at the moment. {owner} has to look after it.',
  },
  ROLE_FORBIDS: { code: 753, status: 403, text: 'Your role in {name} does not allow this.' },
  INVITATION_SPENT: { code: 754, status: 404, text: 'This invitation is no longer valid. Please ask for a new one.' },
  INVITATION_OTHER_ADDRESS: { code: 755, status: 403, text: 'This invitation is for {email}. Please sign in with that address.' },
  ORG_FULL: { code: 756, status: 409, text: 'The plan carries {units} members. Please buy more units first.' },
  ORG_EXPIRED: {
    code: 757,
    status: 409,
    text: "{name}'s subscription has ended. Its links are kept and can be used again when it is renewed.",
  },
  ORG_NOT_FOUND: { code: 758, status: 404, text: 'This organisation could not be found.' },
  ORG_OWNED: {
    code: 770,
    status: 409,
    text: 'You own {name}. Make another member the owner first, or close it.',
  },
  MEMBER_NOT_FOUND: { code: 771, status: 404, text: 'This member could not be found. They may have left.' },
  ALREADY_MEMBER: { code: 772, status: 409, text: '{email} is a member already.' },
  TOO_FEW_UNITS: {
    code: 773,
    status: 409,
    text: '{name} has {members} members and open invitations. Please choose at least as many units.',
  },
  SECRETS_NEEDED: {
    code: 774,
    status: 400,
    text: 'The link would connect in another way than before. Please enter its password or key again.',
  },
  SPACE_NOT_FOUND: { code: 117, status: 404, text: 'This space could not be found. It may have ended.' },
  SPACE_OWNED: { code: 117, status: 409, text: 'You own this space. End it in the list of spaces instead.' },
  NO_SPACES_SUBSCRIPTION: { code: 116, status: 403, text: 'You need a Spaces subscription to create a space.' },
  PROOF_NEEDED: { code: 760, status: 403, text: 'Please confirm that it is you.' },
  SECOND_STEP_NEEDED: { code: 783, status: 403, text: 'Please confirm it with your second step; the password alone is not enough.' },
  NOT_THE_ACCOUNT: {
    code: 784,
    status: 403,
    text: 'Please sign in to the account that is to get this address, then open the link in the mail again.',
  },
  SECOND_FACTOR_WRONG: { code: 761, status: 422, text: 'That code is not correct.' },
  ACCOUNT_CLOSING: { code: 762, status: 409, text: 'This account is about to be closed.' },
  SIGN_IN_AGAIN: { code: 763, status: 422, text: 'That took too long. Please sign in again.' },
  PASSKEY_REFUSED: { code: 764, status: 422, text: 'This passkey was not accepted. Please try again.' },
  NO_PASSKEYS_HERE: {
    code: 765,
    status: 400,
    text: 'Browsers have passkeys only for addresses with a name, reached by https. This installation has another address.',
  },
  LAST_WAY_IN: { code: 766, status: 409, text: 'This is the only way to sign in to your account. Please add another one first.' },
  OWNS_ORGANISATIONS: {
    code: 767,
    status: 409,
    text: 'You own {names}. Please hand over or close what you own before you close your account.',
  },
  PASSWORD_WRONG: { code: 422, status: 422, text: 'The password is not correct.' },
  FACTOR_EXISTS: { code: 769, status: 409, text: 'An authenticator app is set up already. Please remove it first.' },
  EMAIL_DIFFERS: { code: 768, status: 422, text: 'This is not the e-mail address of your account.' },
  CARD_DECLINED: { code: 613, status: 400, text: 'Your card was declined. Please use a different card.' },
  INVALID_COUPON: { code: 615, status: 400, text: 'This promo code is not valid.' },
  EXPIRED_CANNOT_RENEW: {
    code: 614,
    status: 409,
    text: 'An expired subscription cannot be renewed automatically. Please purchase Premium again.',
  },
  RCLONE_ENCRYPTED: {
    code: 790,
    status: 422,
    text: 'This configuration is encrypted, and Sheaf cannot open it. Run "rclone config show" and use what it prints.',
  },
  RCLONE_UNREADABLE: {
    code: 791,
    status: 422,
    text: 'This is not an rclone configuration. It has to have a line like [name] for each remote.',
  },
  RCLONE_TOO_LARGE: {
    code: 792,
    status: 413,
    text: 'This configuration is too large. Sheaf reads up to {characters} characters and {remotes} remotes.',
  },
  REMOTE_UNSUPPORTED: { code: 793, status: 422, text: '{name} cannot be linked. {reason}' },
  ALREADY_SUBSCRIBED: { code: 780, status: 409, text: 'You have this subscription already.' },
  PURCHASE_UNDER_WAY: { code: 781, status: 409, text: 'A purchase is under way. Please wait a moment and look again.' },
  NOT_REFUNDABLE: { code: 782, status: 409, text: 'The time in which the charge is given back is over.' },
  EMAIL_INVALID: { code: 728, status: 400, text: 'Please enter a valid e-mail address.' },
  MALFORMED_REQUEST: { code: 729, status: 400, text: 'The request could not be understood.' },
  METHOD_NOT_ALLOWED: { code: 730, status: 405, text: 'This call does not exist in this form.' },
  WEBLINK_GONE: { code: 415, status: 404, text: 'This link is not available. It may have expired or been removed.' },
  WEBLINK_PASSWORD_NEEDED: { code: 422, status: 422, text: 'This link is protected. Enter the password.' },
  WEBLINK_PASSWORD_WRONG: { code: 422, status: 422, text: 'That password is not correct.' },
  WEBLINK_UNREACHABLE: { code: 740, status: 503, text: 'This item cannot be reached at the moment. Please try again later.' },
  DATABASE_UNAVAILABLE: { code: 741, status: 503, text: 'Sheaf cannot reach its database at the moment. Please try again in a moment.' },
  SECRET_UNREADABLE: {
    code: 742,
    status: 500,
    text: 'What is stored here was sealed with another key than the one Sheaf runs with. Whoever runs Sheaf can put that key back. Otherwise please enter the password again.',
  },
  DATABASE_FULL: { code: 744, status: 503, text: "Sheaf's own disk is full. Please tell whoever runs this installation." },
  FOLDER_TOO_LARGE: { code: 748, status: 422, text: '{name} holds more items than Sheaf can list.' },
  LISTINGS_BUSY: {
    code: 749,
    status: 503,
    text: 'Too many large folders are being read for you at once. Please try again when one of them has been read.',
  },
  UNEXPECTED: { code: 799, status: 500, text: 'An unknown error occurred. [{code}]' },
} as const satisfies Record<string, ErrorRow>;

export type MessageCode = keyof typeof errorTable;
type Slots<Text> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never;
export type Details<N extends MessageCode> = Record<Slots<(typeof errorTable)[N]['text']>, string>;

/** Codes of the specification that this server never answers. A client shows the text that comes with them, as another server of the same calls may send it. */
export const foreignCodes: readonly number[] = [110, 114, 427];

/** Texts of faults that have no answer to read, because no parsable one arrived. */
export const networkFault = {
  text: 'Please check your network connection and try again.',
  noResponse: 'Cannot connect to server.',
  chunk: 'Part of the page could not be loaded. Please refresh the page.',
} as const;

/** What some errors tell besides their message, for a dialog to act on. */
export const errorExtras = ['reason', 'field', 'certificate', 'movedTo'] as const;
export interface ErrorExtras {
  /** What exactly was found, as a sentence. */
  readonly reason?: string;
  /** The field of connection info whose value is wrong. */
  readonly field?: string;
  /** SHA-256 fingerprint of the certificate that the server shows; sent back as `acceptedCertificate` of the connection info it is trusted. */
  readonly certificate?: string;
  /** The address at which the server says that it is now. */
  readonly movedTo?: string;
}

/** How an error looks on the wire. */
export interface ErrorAnswer extends ErrorExtras {
  readonly errorCode: number;
  readonly messageCode: string;
  readonly message: string;
}

/** A failure the user is told about: a row of the catalogue with its details filled in. */
export class AppError extends Error {
  readonly messageCode: MessageCode;
  readonly details: Readonly<Record<string, string>>;
  readonly extras: ErrorExtras;

  constructor(messageCode: MessageCode, details: Readonly<Record<string, string>>, cause?: unknown, extras: ErrorExtras = {}) {
    super(fill(errorTable[messageCode].text, details), { cause });
    this.name = 'AppError';
    this.messageCode = messageCode;
    this.details = details;
    this.extras = extras;
  }

  get errorCode(): number {
    return errorTable[this.messageCode].code;
  }

  get status(): number {
    return errorTable[this.messageCode].status;
  }

  /** The answer that the browser gets. */
  toAnswer(): ErrorAnswer {
    return { errorCode: this.errorCode, messageCode: this.messageCode, message: this.message, ...this.extras };
  }
}

/** Makes the error called `messageCode`; `details` must fill every {slot} of its text. */
export function appError<N extends MessageCode>(messageCode: N, details: Details<N>, cause?: unknown, extras?: ErrorExtras): AppError {
  return new AppError(messageCode, details, cause, extras);
}

function fill(text: string, details: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => details[name] ?? slot);
}
