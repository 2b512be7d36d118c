/** What stands in the query of a page's address; a name that is given several times has a list. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a name, the first if there are several. */
export const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
