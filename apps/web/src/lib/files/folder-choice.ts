/** A folder of a link. */
export interface ChosenFolder {
  /** Path from the link to the folder, separated by slashes. */
  readonly destinationPath: string;
  readonly linkUri: string;
}

/** A form field for a folder. */
export interface FolderFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly onChoose: (folder: ChosenFolder | undefined) => void;
  readonly disabled: boolean;
}
