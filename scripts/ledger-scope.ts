/** Which rows of the ledger come with a later part of Sheaf, and which part that is. Every other row needs a test. */
export interface LaterRows {
  readonly part: string;
  /** `SHR` for a whole area, `RT-064` for a row, `RT-076..RT-077` for a run of rows. */
  readonly rows: readonly string[];
}

export const laterRows: readonly LaterRows[] = [
  {
    part: 'organisations, Spaces, purchase, billing, the remaining pages',
    rows: [
      'RT-064..RT-065',
      'RT-096',
      'RT-114..RT-116',
      'NAV-55..NAV-68',
      'ACC-08..ACC-14',
      'ACC-22..ACC-29',
      'BRW-20..BRW-21',
      'API-65',
      'API-69',
    ],
  },
];
