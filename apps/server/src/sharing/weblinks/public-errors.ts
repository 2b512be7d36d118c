import { AppError, type MessageCode, appError } from '@sheaf/contract';

/** Errors that visitors see unchanged: they reveal nothing about the owner's storage. */
const tellable: ReadonlySet<MessageCode> = new Set([
  'WEBLINK_GONE',
  'WEBLINK_PASSWORD_NEEDED',
  'WEBLINK_PASSWORD_WRONG',
  'WEBLINK_USED_UP',
  'WEBLINK_VIEW_ONLY',
  'WEBLINK_UPLOAD_ONLY',
  'WEBLINK_NO_UPLOADS',
  'TRANSFER_GONE',
  'TRANSFER_STATE',
  'BODY_TOO_LARGE',
  'MALFORMED_REQUEST',
  'METHOD_NOT_ALLOWED',
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

/**
 * Maps an error for visitors: problems between Sheaf and the source, such as a rejected password, concern the owner only. Who uploads also learns that a
 * name is refused and that there is no room, but not by whom.
 */
export function publicError(error: unknown, isUpload = false): unknown {
  if (!(error instanceof AppError) || tellable.has(error.messageCode)) return error;
  if (isUpload && error.messageCode === 'FILE_NAME_REFUSED')
    return appError('FILE_NAME_REFUSED', { provider: 'Sheaf', name: error.details['name'] ?? '' }, error);
  if (isUpload && error.messageCode === 'SOURCE_FULL') return appError('SOURCE_FULL', { provider: 'Sheaf' }, error);
  // The link was removed meanwhile, or its owner has become a viewer of the Space.
  if (error.messageCode === 'INVALID_LINK_URI' || error.messageCode === 'ROLE_FORBIDS') return appError('WEBLINK_GONE', {}, error);
  // The source cannot hold such a name, so no item of the share has it.
  if (error.messageCode === 'FILE_NAME_REFUSED') return appError('ITEM_NOT_FOUND', { name: '' }, error);
  if (error.messageCode === 'SOURCE_CANNOT') return appError('SOURCE_CANNOT', { provider: 'Sheaf' }, error);
  return appError('WEBLINK_UNREACHABLE', {}, error);
}
