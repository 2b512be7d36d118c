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
      'SPC',
      'ORG',
      'RT-011..RT-012',
      'RT-058..RT-061',
      'RT-064..RT-065',
      'RT-067',
      'RT-093..RT-096',
      'RT-114..RT-116',
      'LNK-20',
      'LNK-30',
      'LNK-48..LNK-49',
      'NAV-55..NAV-68',
      'ACC-08..ACC-14',
      'ACC-22..ACC-29',
      'SEC-06..SEC-09',
      'SEC-11',
      'BRW-20..BRW-21',
      'BRW-25..BRW-27',
      'API-02',
      'API-05',
      'API-08',
      'API-10',
      'API-19',
      'API-27',
      'API-29',
      'API-31',
      'API-49',
      'API-51',
      'API-53',
      'API-60..API-69',
      'S3-29..S3-31',
    ],
  },
];
