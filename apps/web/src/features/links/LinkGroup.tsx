import { fix } from './fix.ts';
import { LinkItem } from './LinkItem.tsx';
import type { Link, LinksOfType } from './rows.ts';
import { SourceLogo } from './SourceLogo.tsx';
import classes from './links.module.css';

type Props = {
  group: LinksOfType;
  /** Epoch seconds for which the rows hold. */ now: number;
  onEdit: (link: Link) => void;
  onUnlink: (link: Link) => void;
};

/** The links of one source type under their heading. */
export function LinkGroup({ group, now, onEdit, onUnlink }: Props) {
  return (
    <section className={classes.group} aria-labelledby={`type-${group.sourceType}`}>
      <h2 id={`type-${group.sourceType}`} className={classes.heading}>
        <SourceLogo src={group.logoUrl} size={24} />
        {group.title}
      </h2>
      <ul className={classes.links}>
        {group.links.map((link) => (
          <LinkItem
            key={link.userLinkId}
            link={link}
            now={now}
            onEdit={() => onEdit(link)}
            onFix={() => fix(link, () => onEdit(link))}
            onUnlink={() => onUnlink(link)}
          />
        ))}
      </ul>
    </section>
  );
}
