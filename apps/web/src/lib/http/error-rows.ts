import { errorTable, foreignCodes } from '@sheaf/contract';

export { englishWords } from '@sheaf/contract';

/** The numbers of all errors that this version knows. */
export const knownCodes: ReadonlySet<number> = new Set([...Object.values(errorTable).map(({ code }) => code), ...foreignCodes]);
