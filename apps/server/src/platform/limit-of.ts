import type { LimitName } from '@sheaf/contract';

/** How much of something operators allow an account; undefined: as much as it likes. */
export type LimitOf = (accountId: string, name: LimitName) => Promise<number | undefined>;
