import { encryptionRootUri } from '@sheaf/contract';

/** A folder on the way from the links to the one that is shown. */
export interface Step {
  readonly name: string;
  readonly linkUri: string;
}

/** Where the folder picker stands. */
export interface PickerPlace {
  /** Names from the link to the folder; empty where nothing can be chosen: while the links, or the encrypted folders, are shown. */
  readonly destinationPath: string;
  readonly linkUri: string;
  /** Whether there is something above. */
  readonly backPathExists: boolean;
}

/** The place that these steps lead to; none lead to the list of links. */
export function placeOf(steps: readonly Step[]): PickerPlace {
  const linkUri = steps.at(-1)?.linkUri ?? '';
  return {
    destinationPath: linkUri === encryptionRootUri ? '' : steps.map(({ name }) => name).join('/'),
    linkUri,
    backPathExists: steps.length > 0,
  };
}
