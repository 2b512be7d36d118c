/** A folder on the way from the links to the one that is shown. */
export interface Step {
  readonly name: string;
  readonly linkUri: string;
}

/** Where the folder picker stands. */
export interface PickerPlace {
  /** Names from the link to the folder; empty while the links are shown. */
  readonly destinationPath: string;
  readonly linkUri: string;
  /** Whether there is something above. */
  readonly backPathExists: boolean;
}

/** The place that these steps lead to; none lead to the list of links. */
export function placeOf(steps: readonly Step[]): PickerPlace {
  return {
    destinationPath: steps.map(({ name }) => name).join('/'),
    linkUri: steps.at(-1)?.linkUri ?? '',
    backPathExists: steps.length > 0,
  };
}
