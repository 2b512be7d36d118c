/** A folder of a link. */
export interface ChosenFolder {
  /** Names from the link to the folder, parted by slashes. */
  readonly destinationPath: string;
  readonly linkUri: string;
}

/** A field of a form that holds a folder. */
export interface FolderFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly onChoose: (folder: ChosenFolder | undefined) => void;
  readonly disabled: boolean;
}
