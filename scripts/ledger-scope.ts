/** Which rows of the ledger come with a later part of Sheaf, and which part that is. Every other row needs a test. */
export interface LaterRows {
  readonly part: string;
  /** `SHR` for a whole area, `RT-064` for a row, `RT-076..RT-077` for a run of rows. */
  readonly rows: readonly string[];
}

export const laterRows: readonly LaterRows[] = [];
