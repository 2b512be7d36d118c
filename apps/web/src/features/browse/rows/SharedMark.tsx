import type { SharedBy } from '@sheaf/contract';
import { IconLink, IconUsers } from '@tabler/icons-react';
import classes from './SharedMark.module.css';

/** Says at an item that others can see it: by a public link, or as a Space. */
export function SharedMark({ by, isSmall = false }: { by: readonly SharedBy[] | undefined; isSmall?: boolean }) {
  if (!by) return null;
  const isSpace = by.includes('space');
  const [text, words] = isSpace ? ['Space', 'Folder of a Space'] : ['Shared', 'Shared by a public link'];
  const Icon = isSpace ? IconUsers : IconLink;
  const title = isSpace && by.includes('link') ? `${words}, and shared by a public link` : words;
  return (
    <span className={classes.mark} data-small={isSmall || undefined} title={title}>
      <Icon size={12} stroke={2} aria-hidden="true" />
      <span className={classes.text}>{text}</span>
    </span>
  );
}
