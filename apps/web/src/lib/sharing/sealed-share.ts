/** A share whose names and contents are encrypted, for whoever shows it. */
export interface SealedShareProps {
  readonly weblinkId: string;
  /** Whether visitors may look, but not download. */
  readonly viewOnly: boolean;
}
