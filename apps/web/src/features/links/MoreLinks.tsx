import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { late } from '#/lib/late.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { returningTo } from './pages/return.ts';
import classes from './links.module.css';

const SourceGrid = late(() => import('./picker/SourceGrid.tsx').then((loaded) => loaded.SourceGrid), <SkeletonRows count={6} />);

/** The link picker below the links, collapsed because the links are the page's subject. */
export function MoreLinks({ returnUrl }: { returnUrl: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.moreLinks}>
      <h2>
        <button type="button" className={classes.unfold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <IconChevronDown size={16} stroke={1.75} aria-hidden="true" />
          Add more storage
        </button>
      </h2>
      {isOpen && <SourceGrid addressOf={returningTo(returnUrl)}>{null}</SourceGrid>}
    </div>
  );
}
