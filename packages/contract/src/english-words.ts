import { errorTable, fieldNames } from './error-table.ts';
import { type ErrorWords, englishScreenWords } from './error-words.ts';
import { reasonTable } from './reason-table.ts';

/** The words of the API's own sentences, and the browser's default. In a module of its own, because the tables are large and a page starts without them. */
export const englishWords: ErrorWords = { ...englishScreenWords, errors: errorTable, reasons: reasonTable, fields: fieldNames };
