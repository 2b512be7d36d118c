/** Refusals that may be over after a while: the storage, a proxy, or Sheaf's database is in trouble or busy. */
export const passingRefusals = [
  'TRANSFER_CUT',
  'SOURCE_TIMEOUT',
  'SOURCE_BUSY',
  'LINK_BUSY',
  'WEBLINK_UNREACHABLE',
  'TOO_MANY_CALLS',
  'DATABASE_UNAVAILABLE',
] as const;
