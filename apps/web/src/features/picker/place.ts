import { encryptionRootUri } from '@sheaf/contract';

/** A folder on the path from the links to the visible one. */
export interface Step {
  readonly name: string;
  readonly linkUri: string;
}

/** Position of the folder picker. */
export interface PickerPlace {
  /** Path from the link to the folder; empty where nothing can be chosen, as in the list of links or of encrypted folders. */
  readonly destinationPath: string;
  readonly linkUri: string;
  /** Whether there is a parent. */
  readonly backPathExists: boolean;
}

/** The position of these steps; without steps the list of links. */
export function placeOf(steps: readonly Step[]): PickerPlace {
  const linkUri = steps.at(-1)?.linkUri ?? '';
  return {
    destinationPath: linkUri === encryptionRootUri ? '' : steps.map(({ name }) => name).join('/'),
    linkUri,
    backPathExists: steps.length > 0,
  };
}
