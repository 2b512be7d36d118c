/** Rows of the ledger that belong to a later part of Sheaf, with that part. Every other row needs a test. */
export interface LaterRows {
  readonly part: string;
  /** `SHR` for a whole area, `RT-064` for a row, `RT-076..RT-077` for a run of rows. */
  readonly rows: readonly string[];
}

export const laterRows: readonly LaterRows[] = [];

/** Rows that nothing can prove, with the reason: the command prints it, and complains when a test claims the row anyway. */
export const withoutProof: readonly { readonly row: string; readonly why: string }[] = [
  {
    row: 'SRC-05',
    why: 'Canopy publishes no interface for other programs, so nobody can be asked for authorization; its page says so in place of the dialog',
  },
];

/**
 * Rows about values that only the browser's own code sees, or about an answer that our server never gives: a unit test or a stubbed answer is all that
 * can prove them. Every other row needs a test of the running product.
 */
export const insideBrowser: readonly { readonly why: string; readonly rows: readonly string[] }[] = [
  { why: 'fields that the client adds to a link row for its own use', rows: ['LNK-41', 'LNK-42', 'LNK-43', 'LNK-44', 'LNK-45'] },
  { why: 'codes of the specification that our server never gives; the ledger says why at each row', rows: ['ERR-06', 'ERR-08'] },
  { why: 'an error without a message, which our server never gives', rows: ['ERR-16'] },
  {
    why: 'the server links an authorized account once only and an edit keeps the account, so 420 comes when a Google Cloud bucket is chosen and never here',
    rows: ['OAU-12'],
  },
  { why: 'state of a dialog in the page', rows: ['SHR-53', 'PCK-30'] },
  { why: 'how the page waits for its own start', rows: ['RT-113'] },
  { why: 'what the page makes of a member count that our server always sends as a number', rows: ['ORG-12'] },
];
