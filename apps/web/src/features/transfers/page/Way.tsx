import type { Transfer, TransferPlace } from '@sheaf/contract';
import { IconArrowRight } from '@tabler/icons-react';
import { formatSize } from '#/lib/format.ts';
import { type BrowseUrlOf, hrefOfPlace } from '#/lib/transfers/words.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './transfers.module.css';

type WayProps = {
  transfer: Pick<Transfer, 'from' | 'to' | 'bytesPerSecond'>;
  browseUrlOf: BrowseUrlOf;
};

/** From where to where, as links to the folders. */
export function Way({ transfer: { from, to, bytesPerSecond }, browseUrlOf }: WayProps) {
  const [first] = from;
  return (
    <div className={classes.way}>
      {first && <End place={first} isItem browseUrlOf={browseUrlOf} />}
      {from.length > 1 && <span>and {from.length - 1} more</span>}
      <IconArrowRight size={14} stroke={2} aria-label="to" />
      <End place={to} browseUrlOf={browseUrlOf} />
      {bytesPerSecond !== undefined && <span>at most {formatSize(bytesPerSecond)}/s</span>}
    </div>
  );
}

type EndProps = {
  place: TransferPlace;
  /** It is what goes: the link leads to the folder that holds it. */
  isItem?: boolean;
  browseUrlOf: BrowseUrlOf;
};

function End({ place, isItem = false, browseUrlOf }: EndProps) {
  const names = place.path.split('/');
  const shown = isItem && names.length > 1 ? names.slice(0, -1) : names;
  const href = hrefOfPlace({ linkUri: place.linkUri, isFolder: !isItem || names.length === 1 }, browseUrlOf);
  const text = shown.join(' / ');
  return href === undefined ? (
    <span title={text}>{text}</span>
  ) : (
    <PathLink href={href} title={text}>
      {text}
    </PathLink>
  );
}
