import type { DialogFamily, SourceGroupName } from './catalogue/source.ts';
import type { Placeholders } from './template.ts';

/**
 * English templates of what the browser asks about an error, and of source cards. Each {placeholder} is a detail; `{message}` and `{fault}` are
 * sentences of errors.
 */
export const screenTable = {
  SERVER_MAY_CONTINUE:
    'The {server} server could not validate these credentials. You may still be able to connect. Do you want to continue?',
  FILE_SERVER_MAY_CONTINUE:
    'The file server could not validate these credentials. You may still be able to connect. Do you want to continue?',
  UNNAMED_MAY_CONTINUE: 'The server could not validate these credentials. You may still be able to connect. Do you want to continue?',
  UNANSWERED_MAY_CONTINUE:
    'Could not connect to {server} server to validate your credentials. You may still be able to connect. Do you want to continue?',
  SERVER_REFUSED: 'The {server} server could not validate these credentials.',
  LOGIN_REFUSED: 'Invalid login credentials. Please try again.',
  SCHEME_MISSING: '{message} Please include http:// or https:// in the server address.',
  LINKED_MAY_CONTINUE: '{message} Do you want to continue?',
  LINKED_SAVE_AGAIN: '{message} Press Save Changes again to keep both links.',
  LINKED_PRESS_AGAIN: '{message} Press {button} again to link it once more.',
  NO_CONNECTION: 'Cannot connect. {fault}',
  NO_CONNECTION_TO_SERVER: 'Cannot connect to the {server} server. {fault}',
  NO_CONNECTION_TO_FILE_SERVER: 'Cannot connect to the file server. {fault}',
  NO_CONNECTION_TO_GATEWAY: 'Cannot connect to the gateway server. {fault}',
  BROWSE_LOGIN_REFUSED: 'Cannot access {path}. Your {path} link credentials are not valid.',
  BROWSE_FAILED: 'Cannot browse {path}. {message}',
  ADD_FOLDER_FAILED: 'Cannot add folder. {message}',
  RENAME_FAILED: 'Cannot rename {item}. {message}',
  DELETE_FAILED: 'Cannot delete {item}. {message}',
  COPY_FAILED: 'Cannot copy. {message}',
  MOVE_FAILED: 'Cannot move. {message}',
  TRANSFER_CHANGE_FAILED: 'Cannot change the transfer of {items}. {message}',
  PLAN_CHANGE_FAILED: 'The plan could not be changed. {message}',
  CARD_CLOSED: 'Cannot be linked',
  CARD_NOT_SET_UP: 'Needs operator settings',
  CARD_ONE_LINK: '1 link',
  CARD_LINKS: '{count} links',
} as const;

export type ScreenKey = keyof typeof screenTable;
export type ScreenDetails<K extends ScreenKey> = Readonly<Record<Placeholders<(typeof screenTable)[K]>, string>>;

/** What a user needs to link a type of each family, in a few words on its card. */
export const familyCaptions = {
  oauth: 'Sign in once',
  googlecloud: 'Sign in once',
  ftp: 'Username and password',
  ofs: 'Username and password',
  webdav: 'Username and password',
  oracledocuments: 'Username and password',
  sftp: 'Password or key file',
  s3: 'Access key',
  b2: 'Application key',
  sheafgateway: 'Connection JSON',
} as const satisfies Record<DialogFamily, string>;

/** A few words about each group of source cards. */
export const groupSentences = {
  'Cloud drives': 'Files you already keep online',
  'Object stores': 'Buckets, reached with a key',
  'File protocols': 'Your own servers',
  'Work apps': 'Files inside other tools',
  Photos: 'Open in the gallery',
} as const satisfies Record<SourceGroupName, string>;
