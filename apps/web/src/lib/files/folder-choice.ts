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

/** A folder that items are copied or moved to. */
export interface ChosenTarget {
  readonly linkUri: string;
  /** Names from the link to the folder. */
  readonly names: readonly string[];
  /** Whether items can be put there; undefined until its storage has answered. */
  readonly canWrite: boolean | undefined;
}

/** Chooses a folder of any link; the open folder is the chosen one. */
export interface TargetPickerProps {
  /** Addresses of folders that were chosen lately. */
  readonly recent: readonly string[];
  readonly onChoose: (target: ChosenTarget | undefined) => void;
  readonly disabled: boolean;
}
