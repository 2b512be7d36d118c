const kept = new Map<string, string>();

/**
 * Remembers the token of a mail for the page at this path while its reader signs in: in memory only, because what stands in a query or in the
 * browser's storage can be read by others.
 */
export const keepToken = (path: string, token: string): void => void kept.set(path, token);

/** The token that was kept for the page, if any. */
export const keptToken = (path: string): string | undefined => kept.get(path);

export const forgetToken = (path: string): void => void kept.delete(path);
