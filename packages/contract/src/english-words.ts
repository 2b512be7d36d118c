import { errorTable, fieldNames } from './error-table.ts';
import type { ErrorWords } from './error-words.ts';
import { reasonTable } from './reason-table.ts';
import { englishScreenWords } from './screen-words.ts';

/** The words for the API's own sentences, and the browser's default. A separate module, because the tables are large and pages load without them. */
export const englishWords: ErrorWords = { ...englishScreenWords, errors: errorTable, reasons: reasonTable, fields: fieldNames };
