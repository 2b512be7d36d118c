import { Button, Menu } from '@mantine/core';
import type { LinkRoom } from '@sheaf/contract';
import { IconChartTreemap, IconPencil, IconPlugConnected, IconShare, IconUnlink } from '@tabler/icons-react';
import { errorAnswerText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { askToShare } from '#/lib/sharing/share-request.ts';
import { StateDot } from '#/ui/feedback/StateDot.tsx';
import { ItemMenu } from '#/ui/ItemMenu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { OverRow, RowLink } from '#/ui/RowLink.tsx';
import { checkedWords } from './checked.ts';
import { useKeepLink } from './queries.ts';
import { Room } from './Room.tsx';
import { type Link, isOfOrganisation, mayShare, mayUnlink } from './rows.ts';
import { SourceLogo } from './SourceLogo.tsx';
import classes from './links.module.css';

type Props = {
  link: Link;
  /** Epoch seconds for which the row holds. */ now: number;
  /** What its account uses, where its source tells it. */
  room?: LinkRoom | undefined;
  onEdit: () => void;
  onFix: () => void;
  onUnlink: () => void;
  /** Whether it can be changed here. */
  isChangeable?: boolean;
  /** Whether the problem can be fixed at the link. */
  isFixable?: boolean;
};

/** A row of My links; clicking anywhere opens the link. */
export function LinkItem({ link, now, room, onEdit, onFix, onUnlink, isChangeable = !isOfOrganisation(link), isFixable = true }: Props) {
  const needsAttention = link.state === 'attention';
  const why = link.attentionError ? errorAnswerText(link.attentionError) : link.attention;
  // A Space has no connection of its own to check or fix.
  const isSpace = link.formType === 'SPACES';
  return (
    <li className={classes.link} data-attention={needsAttention || link.isUnclaimed || undefined}>
      <SourceLogo src={link.thumbnailUrl} />
      <RowLink className={classes.name} href={link.browseUrl} title={link.name}>
        {link.name}
      </RowLink>
      <span className={classes.account}>{link.sourceAccountName}</span>
      <Room room={room} className={classes.room} />
      <span className={classes.state}>
        <StateDot state={link.state} />
        <span className={classes.words}>{needsAttention ? 'Needs attention' : !isSpace && checkedWords(link.checkedAt, now)}</span>
        {needsAttention && isChangeable && isFixable && !isSpace && (
          <Button size="xs" className={classes.fix} onClick={onFix} aria-label={`Fix ${link.name}`}>
            Fix
          </Button>
        )}
      </span>
      {isChangeable && (
        <OverRow>
          <ItemMenu of={link.name}>
            <Menu.Item leftSection={<IconPencil size={18} stroke={1.75} />} onClick={onEdit}>
              Edit
            </Menu.Item>
            {mayShare(link) && (
              <Menu.Item
                leftSection={<IconShare size={18} stroke={1.75} />}
                onClick={() => askToShare({ linkUri: link.linkUri, path: link.name, fileType: 'FOLDER' })}
              >
                Share
              </Menu.Item>
            )}
            <Menu.Item
              component={PathLink}
              href={withQuery('/usage', { linkUri: link.linkUri })}
              leftSection={<IconChartTreemap size={18} stroke={1.75} />}
            >
              Usage
            </Menu.Item>
            <Menu.Item
              component={PathLink}
              leftSection={<IconPlugConnected size={18} stroke={1.75} />}
              href={`/connect/${link.userLinkId}`}
            >
              Connect
            </Menu.Item>
            {mayUnlink(link) && (
              <Menu.Item data-danger leftSection={<IconUnlink size={18} stroke={1.75} />} onClick={onUnlink}>
                Unlink
              </Menu.Item>
            )}
          </ItemMenu>
        </OverRow>
      )}
      {needsAttention && why !== undefined && <p className={classes.why}>{why}</p>}
      {link.isUnclaimed && <Unclaimed link={link} onUnlink={onUnlink} />}
    </li>
  );
}

/** A link that somebody created with the user's address before the user verified it. */
function Unclaimed({ link: { userLinkId, name }, onUnlink }: Pick<Props, 'link' | 'onUnlink'>) {
  const keep = useKeepLink();
  return (
    <div className={classes.why}>
      <p>It was linked before your e-mail address was verified, perhaps by somebody else. Store no files there unless it is yours.</p>
      <OverRow className={classes.claim}>
        <Button size="xs" aria-label={`It is mine: ${name}`} loading={keep.isPending} onClick={() => keep.mutate(userLinkId)}>
          It is mine
        </Button>
        <Button size="xs" aria-label={`Unlink ${name}`} onClick={onUnlink}>
          Unlink
        </Button>
      </OverRow>
    </div>
  );
}
