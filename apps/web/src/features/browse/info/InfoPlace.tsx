import type { Item } from '@sheaf/contract';
import { useEffect } from 'react';
import { late } from '#/lib/late.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import classes from './info.module.css';

const InfoPanel = late(() => import('./InfoPanel.tsx').then((loaded) => loaded.InfoPanel), <SkeletonRows count={5} />);

export interface InfoProps {
  /** What it tells about: the selected items, or the folder itself. */
  readonly items: readonly Item[];
  /** Names of the folders in which they are, beginning with the link's; none for a link itself. */
  readonly folderPath: readonly string[];
  readonly canShare: boolean;
  readonly onShare: (item: Item) => void;
  /** Shows the folder as it is after the panel has changed an item in it. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Place of the panel beside the list, which it takes before its content has arrived; on a phone a sheet at the bottom. */
export function InfoPlace(props: InfoProps) {
  const { onClose } = props;
  useEffect(() => {
    // Only where it covers the list.
    if (!matchMedia('(max-width: 699.98px)').matches) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"]') !== null) return;
      event.preventDefault();
      onClose();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onClose]);
  return (
    <>
      <div className={classes.scrim} aria-hidden="true" onClick={onClose} />
      <aside className={classes.panel} aria-label="Details">
        <InfoPanel {...props} />
      </aside>
    </>
  );
}
