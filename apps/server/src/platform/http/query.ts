/** The query of a page's address; a repeated name has a list. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** The first value of a name. */
export const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
