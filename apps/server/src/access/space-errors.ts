import { AppError, type MessageCode, appError } from '@sheaf/contract';

/** What a member may be told as it is: it is about what they asked for, not about how the owner's storage is reached. */
const tellable: ReadonlySet<MessageCode> = new Set([
  'CONTENT_DAMAGED',
  'FILE_NAME_REFUSED',
  'FOLDER_NOT_EMPTY',
  'IS_A_FOLDER',
  'ITEM_NOT_FOUND',
  'NAME_TAKEN',
  'NOT_A_FOLDER',
  'RANGE_NOT_SATISFIABLE',
  'SIZE_DIFFERS',
  'SOURCE_BUSY',
  'SOURCE_CANNOT',
  'SOURCE_CONFUSED',
  'SOURCE_FORBIDS',
  'SOURCE_FULL',
  'SOURCE_TIMEOUT',
  'SPACE_EXPIRED',
  'SPACE_EXPIRED_OWN',
  'SPACE_TROUBLE',
  'SPACE_UNLINKED',
  'TRANSFER_CUT',
] satisfies MessageCode[]);

interface About {
  /** What the user calls the space. */
  readonly name: string;
  readonly ownerName: string;
  readonly isOwner: boolean;
}

/** What somebody in a space is told of a failure. `path` is the item's in the space: what is told of the root is told by the space's name, not the folder's. */
export function spaceError(error: unknown, path: string, { name, ownerName: owner, isOwner }: About): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.messageCode === 'INVALID_LINK_URI') return appError('SPACE_UNLINKED', { owner, name }, error);
  // Only the owner can put right what is wrong between Sheaf and the storage, so only the owner is told what it is.
  if (!isOwner && !tellable.has(error.messageCode)) return appError('SPACE_TROUBLE', { owner, name }, error);
  // The name in this one is the organisation's, whose link holds the files.
  const isOfItem = error.messageCode !== 'ORG_EXPIRED';
  return path === '/' && isOfItem && 'name' in error.details ? new AppError(error.messageCode, { ...error.details, name }, error) : error;
}
