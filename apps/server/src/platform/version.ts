/** The version of program and API; increased when something changes that clients rely on. */
export const version = '0.1.0';
