export interface ErrorRow {
  /** The number on the wire: never reused, never renumbered. */
  readonly code: number;
  /** HTTP status of the answer. */
  readonly status: number;
  /** Template of the English sentence: each {placeholder} is a detail of the error. `{reason}` is the sentence of the error's reason. */
  readonly text: string;
  /** Template to use if the name is unknown. */
  readonly unnamed?: string;
}
