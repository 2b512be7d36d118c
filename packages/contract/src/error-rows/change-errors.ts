import type { ErrorRow } from './error-row.ts';

/** Errors of undo and bins. */
export const changeErrors = {
  CHANGE_GONE: { code: 830, status: 404, text: 'This change is not known any more, so it cannot be undone.' },
  BIN_ITEM_GONE: { code: 831, status: 404, text: '"{name}" is no longer in the bin.', unnamed: 'This item is no longer in the bin.' },
  CHANGED_SINCE: {
    code: 832,
    status: 409,
    text: '"{name}" has changed since, so it stays as it is.',
    unnamed: 'This item has changed since, so it stays as it is.',
  },
  NO_BIN: { code: 833, status: 409, text: '{provider} has no bin that Sheaf can open.' },
  BIN_REFUSES: {
    code: 835,
    status: 409,
    text: '"{name}" could not be kept in the hidden bin, so it was not deleted. You can delete it permanently instead.',
    unnamed: 'This item could not be kept in the hidden bin, so it was not deleted. You can delete it permanently instead.',
  },
  FOLDER_READ_ONLY: {
    code: 857,
    status: 403,
    text: '"{name}" was not deleted, because {provider} seems to allow no changes in its folder.',
    unnamed: 'This item was not deleted, because {provider} seems to allow no changes in its folder.',
  },
  SOURCE_DID_NOTHING: {
    code: 858,
    status: 502,
    text: '{provider} confirmed this change, but did not make it. It may be read-only or have a problem.',
  },
  BIN_FIRST: {
    code: 834,
    status: 409,
    text: 'The folder of "{name}" no longer exists. Restore the folder first.',
    unnamed: 'The folder of this item no longer exists. Restore the folder first.',
  },
} as const satisfies Record<string, ErrorRow>;
