import { IconChevronDown, IconFolder } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { FolderTree } from './FolderTree.tsx';
import { type Step, locationOf } from './location.ts';
import classes from './picker.module.css';

/** Field for a Space's folder, which shows the folders of all links below it; the open folder is the chosen one. */
export function FolderField({ label, placeholder, onChoose, disabled }: FolderFieldProps) {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { destinationPath } = locationOf(steps);

  const go = (next: readonly Step[]): void => {
    setSteps(next);
    const place = locationOf(next);
    onChoose(place.destinationPath === '' ? undefined : { destinationPath: place.destinationPath, linkUri: place.linkUri });
  };
  return (
    <div className={classes.choice}>
      <span id={`${id}-label`} className={classes.label}>
        {label}
      </span>
      <button
        type="button"
        id={`${id}-value`}
        className={classes.chosen}
        aria-labelledby={`${id}-label ${id}-value`}
        aria-expanded={isOpen}
        aria-controls={`${id}-folders`}
        data-empty={destinationPath === '' || undefined}
        disabled={disabled}
        onClick={() => setOpen(!isOpen)}
      >
        <IconFolder size={18} stroke={1.75} aria-hidden="true" />
        <span>{destinationPath === '' ? placeholder : destinationPath.split('/').join(' / ')}</span>
        <IconChevronDown size={16} stroke={1.75} aria-hidden="true" />
      </button>
      <div id={`${id}-folders`} className={classes.folders} hidden={!isOpen}>
        {isOpen && <FolderTree steps={steps} onSteps={go} isBusy={disabled} wayUp="breadcrumb" withoutSpaces />}
      </div>
    </div>
  );
}
