import { AppError, type MessageCode, appError } from '@sheaf/contract';

/** What a visitor may be told as it is: it says nothing of where the owner keeps the item, nor of how it is reached. */
const tellable: ReadonlySet<MessageCode> = new Set([
  'WEBLINK_GONE',
  'WEBLINK_PASSWORD_NEEDED',
  'WEBLINK_PASSWORD_WRONG',
  'TOO_MANY_TRIES',
  'TOO_MANY_CALLS',
  'TOO_MANY_ITEMS',
  'ITEM_NOT_FOUND',
  'IS_A_FOLDER',
  'NOT_A_FOLDER',
  'NO_PICTURE',
  'NO_TEXT',
  'NOT_AN_ARCHIVE',
  'RANGE_NOT_SATISFIABLE',
  'MISSING_PARAMETER',
  'INVALID_PARAMETER',
]);

/** What a visitor is told of a failure: troubles between Sheaf and the source, such as a password that the source no longer takes, are the owner's affair. */
export function forStranger(error: unknown): unknown {
  if (!(error instanceof AppError) || tellable.has(error.messageCode)) return error;
  // The link has gone between the question for the share and the one for the item, or its owner is a viewer of a space by now.
  if (error.messageCode === 'INVALID_LINK_URI' || error.messageCode === 'ROLE_FORBIDS') return appError('WEBLINK_GONE', {}, error);
  // A name that the source cannot hold is none of an item in the share.
  if (error.messageCode === 'FILE_NAME_REFUSED') return appError('ITEM_NOT_FOUND', { name: '' }, error);
  if (error.messageCode === 'SOURCE_CANNOT') return appError('SOURCE_CANNOT', { provider: 'Sheaf' }, error);
  return appError('WEBLINK_UNREACHABLE', {}, error);
}
