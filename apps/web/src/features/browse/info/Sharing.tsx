import { Button } from '@mantine/core';
import { type Item, type Weblink, weblinkPagePath } from '@sheaf/contract';
import { IconCopy, IconLink, IconShare } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from '#/ui/copy-text.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './info.module.css';

type Props = {
  item: Item;
  /** The user's shares of the item; undefined while they load. */
  shares: readonly Weblink[] | undefined;
  /** Undefined where it cannot be shared. */
  onShare: (() => void) | undefined;
};

/** By which public links others see an item. */
export function Sharing({ item, shares, onShare }: Props) {
  const [now] = useState(Date.now);
  if (!shares) return <SkeletonRows count={2} />;
  const copy = (address: string): void =>
    void copyText(address).then((isCopied) =>
      isCopied ? notifyDone('The address is copied') : notifyError('The address could not be copied'),
    );
  return (
    <>
      {shares.length === 0 && <p className={classes.none}>No public link leads to {item.name}.</p>}
      <ul className={classes.shares}>
        {shares.map((share) => (
          <li key={share.weblinkId}>
            <IconLink size={18} stroke={1.75} aria-hidden="true" />
            <span>
              <PathLink href={weblinkPagePath(share.weblinkId)}>
                {share.hasPassword ? 'Anyone with link and password' : 'Anyone with the link'}
              </PathLink>
              <small>{usageWords(share, now)}</small>
            </span>
            <IconButton small label="Copy the address" onClick={() => copy(share.sharelinkurl)}>
              <IconCopy size={16} stroke={1.75} />
            </IconButton>
          </li>
        ))}
      </ul>
      {onShare && (
        <Button size="sm" leftSection={<IconShare size={16} stroke={1.75} />} onClick={onShare}>
          Share
        </Button>
      )}
    </>
  );
}

function usageWords({ nbrVisits, expirationTimeStamp: end }: Weblink, now: number): string {
  const visits = nbrVisits === 1 ? '1 visit' : `${nbrVisits.toLocaleString()} visits`;
  if (end === undefined) return visits;
  const day = new Date(end * 1000).toLocaleDateString(undefined, { dateStyle: 'medium' });
  return end * 1000 <= now ? `${visits}, expired ${day}` : `${visits}, until ${day}`;
}
