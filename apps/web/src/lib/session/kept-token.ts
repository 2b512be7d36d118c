const kept = new Map<string, string>();

/**
 * Keeps a mailed token for the page at this path during a sign-in: in memory only, because queries and the browser's storage can be read by others.
 */
export const keepToken = (path: string, token: string): void => void kept.set(path, token);

/** The token kept for the page, if any. */
export const keptToken = (path: string): string | undefined => kept.get(path);

export const forgetToken = (path: string): void => void kept.delete(path);
