import { AppError, type MessageCode, appError } from '@sheaf/contract';

/** Errors that members see unchanged: they concern the request, not the owner's storage. */
const tellable: ReadonlySet<MessageCode> = new Set([
  'CONTENT_DAMAGED',
  'FILE_NAME_REFUSED',
  'FOLDER_NOT_EMPTY',
  'IS_A_FOLDER',
  'ITEM_NOT_FOUND',
  'LINK_BUSY',
  'NAME_TAKEN',
  'NOT_A_FOLDER',
  'RANGE_NOT_SATISFIABLE',
  'SIZE_DIFFERS',
  'SOURCE_BUSY',
  'SOURCE_CANNOT',
  'SOURCE_CONFUSED',
  'SOURCE_FORBIDS',
  'SOURCE_FULL',
  'SOURCE_SENT_PAGE',
  'SOURCE_TIMEOUT',
  'SPACE_EXPIRED',
  'SPACE_EXPIRED_OWN',
  'SPACE_TROUBLE',
  'SPACE_UNLINKED',
  'TRANSFER_CUT',
] satisfies MessageCode[]);

interface About {
  /** The user's name for the Space. */
  readonly name: string;
  readonly ownerName: string;
  readonly isOwner: boolean;
}

/** Maps an error for a member of a Space. `path` is the item's in the Space: for the root the error shows the Space's name, not the folder's. */
export function spaceError(error: unknown, path: string, { name, ownerName: owner, isOwner }: About): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.messageCode === 'INVALID_LINK_URI') return appError('SPACE_UNLINKED', { owner, name }, error);
  // The file may lie outside of the Space.
  if (!isOwner && error.messageCode === 'LINK_UPLOADING')
    return appError('LINK_BUSY', { provider: error.details['provider'] ?? '' }, error);
  // Only the owner can fix problems between Sheaf and the storage, so only the owner sees them.
  if (!isOwner && !tellable.has(error.messageCode)) return appError('SPACE_TROUBLE', { owner, name }, error);
  return path === '/' ? error.named(name) : error;
}
