import type { LinkRoom } from '@sheaf/contract';
import { IconDots } from '@tabler/icons-react';
import { errorAnswerText } from '#/lib/http/error-text.ts';
import { late } from '#/lib/late.tsx';
import { Button } from '#/ui/button/Button.tsx';
import { StateDot } from '#/ui/feedback/StateDot.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { useLateMenu } from '#/ui/menu/use-late-menu.ts';
import { OverRow, RowLink } from '#/ui/RowLink.tsx';
import { checkedWords } from './checked.ts';
import { useKeepLink } from './queries.ts';
import { Room } from './Room.tsx';
import { type Link, isOfOrganisation } from './rows.ts';
import { SourceLogo } from './SourceLogo.tsx';
import classes from './links.module.css';

const LinkMenu = late(() => import('./LinkMenu.tsx').then((loaded) => loaded.LinkMenu), null, 'overlay');

type Props = {
  link: Link;
  /** Current time in epoch seconds. */
  now: number;
  /** Room that its account uses, where the source reports it. */
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
          <LinkMenuButton link={link} onEdit={onEdit} onUnlink={onUnlink} />
        </OverRow>
      )}
      {needsAttention && why !== undefined && <p className={classes.why}>{why}</p>}
      {link.isUnclaimed && <Unclaimed link={link} onUnlink={onUnlink} />}
    </li>
  );
}

/** The button of a row's menu. */
function LinkMenuButton({ link, onEdit, onUnlink }: Pick<Props, 'link' | 'onEdit' | 'onUnlink'>) {
  const { isOpen, close, button } = useLateMenu(LinkMenu.preload);
  return (
    <span className={classes.menuPlace}>
      <IconButton {...button} label={`Menu of ${link.name}`} withTooltip={false}>
        <IconDots size={18} stroke={1.75} />
      </IconButton>
      {isOpen && <LinkMenu link={link} onEdit={onEdit} onUnlink={onUnlink} onClose={close} />}
    </span>
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
