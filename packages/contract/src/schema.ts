/** The types of the schema library that those who read calls need; the library itself stays an affair of the contract. */
export type { Static, TObject, TSchema } from 'typebox';
