import { useQuery } from '@tanstack/react-query';
import { LinkItem } from './LinkItem.tsx';
import { fixLate } from './pages/fix-late.ts';
import { rooms } from './rooms.ts';
import type { Link, LinksOfType } from './rows.ts';
import { SourceLogo } from './SourceLogo.tsx';
import classes from './links.module.css';

type Props = {
  group: LinksOfType;
  /** Epoch seconds for which the rows hold. */ now: number;
  onEdit: (link: Link) => void;
  onUnlink: (link: Link) => void;
  /** The organisation whose links they are, where these are looked at by themselves. */
  orgOid?: string | undefined;
  isFixable?: boolean;
};

/** The links of one source type under their heading. */
export function LinkGroup({ group, now, onEdit, onUnlink, orgOid, isFixable = true }: Props) {
  const room = useQuery(rooms).data;
  const headingId = `type-${orgOid === undefined ? '' : `${orgOid}-`}${group.sourceType}`;
  return (
    <section className={classes.group} aria-labelledby={headingId}>
      <h2 id={headingId} className={classes.heading}>
        <SourceLogo src={group.logoUrl} size={24} />
        {group.title}
      </h2>
      <ul className={classes.links}>
        {group.links.map((link) => (
          <LinkItem
            key={link.userLinkId}
            link={link}
            now={now}
            room={room?.get(link.userLinkId)}
            isFixable={isFixable}
            onEdit={() => onEdit(link)}
            onFix={() => fixLate(link, () => onEdit(link), orgOid)}
            onUnlink={() => onUnlink(link)}
            {...(orgOid !== undefined && { isChangeable: true })}
          />
        ))}
      </ul>
    </section>
  );
}
