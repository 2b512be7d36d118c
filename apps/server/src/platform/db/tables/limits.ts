export interface LimitTables {
  /** What operators allow. A rule of an organisation also goes for its members. */
  limitRule: {
    /** `<account or all>:<name>` */
    id: string;
    /** A person or an organisation; null: everyone. */
    accountId: string | null;
    /** A key of `limitRanges`. */
    name: string;
    /** In the unit of its name. */
    most: number;
    /** The sign-in provider that says so; null where an operator does. */
    givenBy: string | null;
  };
}
