import { Button, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconShare, IconUnlink } from '@tabler/icons-react';
import { askToShare } from '#/lib/share-request.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { checkedWords } from './checked.ts';
import { type Link, isOfOrganisation } from './rows.ts';
import { SourceLogo } from './SourceLogo.tsx';
import classes from './links.module.css';

type Props = {
  link: Link;
  /** Epoch seconds for which the row holds. */ now: number;
  onEdit: () => void;
  onFix: () => void;
  onUnlink: () => void;
  /** Whether it can be changed here. */
  isChangeable?: boolean;
};

const stateWords = { ok: 'Working', unknown: 'Not checked yet', attention: 'Needs attention' } as const;

/** A row of My links: all of it leads into the link. */
export function LinkItem({ link, now, onEdit, onFix, onUnlink, isChangeable = !isOfOrganisation(link) }: Props) {
  const needsAttention = link.state === 'attention';
  // A space has no connection of its own that could be checked, or put right here.
  const isSpace = link.formType === 'SPACES';
  return (
    <li className={classes.link} data-attention={needsAttention || undefined}>
      <SourceLogo src={link.thumbnailUrl} />
      <PathLink className={classes.name} href={link.browseUrl} title={link.name}>
        {link.name}
      </PathLink>
      <span className={classes.account}>{link.sourceAccountName}</span>
      <span className={classes.state}>
        <span
          className={classes.dot}
          data-state={link.state}
          role="img"
          aria-label={stateWords[link.state]}
          title={stateWords[link.state]}
        />
        <span className={classes.words}>{needsAttention ? 'Needs attention' : !isSpace && checkedWords(link.checkedAt, now)}</span>
        {needsAttention && isChangeable && !isSpace && (
          <Button size="xs" className={classes.fix} onClick={onFix} aria-label={`Fix ${link.name}`}>
            Fix
          </Button>
        )}
      </span>
      {isChangeable && (
        <span className={classes.more}>
          <Menu>
            <Menu.Target>
              <IconButton label={`Menu of ${link.name}`} withTooltip={false}>
                <IconDots size={18} stroke={1.75} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconPencil size={18} stroke={1.75} />} onClick={onEdit}>
                Edit
              </Menu.Item>
              <Menu.Item
                leftSection={<IconShare size={18} stroke={1.75} />}
                onClick={() => askToShare({ linkUri: link.linkUri, path: link.name, fileType: 'FOLDER' })}
              >
                Share
              </Menu.Item>
              <Menu.Item data-danger leftSection={<IconUnlink size={18} stroke={1.75} />} onClick={onUnlink}>
                Unlink
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      )}
      {needsAttention && link.attention !== undefined && <p className={classes.why}>{link.attention}</p>}
    </li>
  );
}
