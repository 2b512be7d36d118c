import { UnstyledButton } from '@mantine/core';
import type { Found, FoundItem, SearchedLink } from '@sheaf/contract';
import { IconFolderSymlink } from '@tabler/icons-react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { folderHref, folderText, itemHref } from '#/lib/files/found-address.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { amountText } from './found-text.ts';
import { markMatches } from './query-text.ts';
import classes from './SearchDialog.module.css';

/** The items found in one link. */
export interface Group {
  readonly link: SearchedLink;
  readonly items: readonly FoundItem[];
}

/** The found items by link; the link with the best answer comes first. */
export function groupsOf({ items, links }: Found): Group[] {
  const byLink = Map.groupBy(items, ({ userLinkId }) => userLinkId);
  return [...byLink].flatMap(([id, found]) => {
    const link = links.find(({ userLinkId }) => userLinkId === id);
    return link ? [{ link, items: found }] : [];
  });
}

export const rowId = (item: FoundItem): string => `found-${encodeURIComponent(item.linkUri)}`;

type Props = {
  id: string;
  groups: readonly Group[];
  query: string;
  /** The row that the keyboard is at. */
  current: FoundItem | undefined;
  onLeave: () => void;
  onGo: (href: string) => void;
  onOnly: (link: SearchedLink) => void;
};

/** The answers, grouped by link. */
export function SearchResults({ id, groups, query, current, onLeave, onGo, onOnly }: Props) {
  return (
    <div id={id} role="grid" aria-label="Found items" className={classes.results}>
      {groups.map(({ link, items }) => (
        <div key={link.userLinkId} role="rowgroup" aria-label={link.name}>
          <div role="row" className={classes.group}>
            <span role="gridcell">
              <strong>{link.name}</strong> {amountText(items.length, link)}
            </span>
            {link.found !== items.length && (
              <span role="gridcell">
                <UnstyledButton tabIndex={-1} className={classes.only} onClick={() => onOnly(link)}>
                  Only this link
                </UnstyledButton>
              </span>
            )}
          </div>
          {items.map((item) => (
            <div
              key={item.linkUri}
              id={rowId(item)}
              role="row"
              aria-selected={item === current}
              className={classes.row}
              data-current={item === current || undefined}
            >
              <span role="gridcell" className={classes.what}>
                <PathLink className={classes.open} href={itemHref(link, item)} tabIndex={-1} onClick={onLeave}>
                  <FileIcon kind={fileKindOf(item)} />
                  <span className={classes.texts}>
                    <span className={classes.name}>
                      <Marked text={item.name} query={query} />
                    </span>
                    <span className={classes.folder}>
                      <Marked text={folderText(item) || link.name} query={query} />
                    </span>
                  </span>
                </PathLink>
              </span>
              <span role="gridcell" className={classes.size}>
                {item.size !== undefined && formatSize(item.size)}
              </span>
              <span role="gridcell" className={classes.date}>
                {item.modified !== undefined && formatModified(item.modified)}
              </span>
              <span role="gridcell">
                <IconButton
                  label={`Show ${item.name} in its folder`}
                  withTooltip={false}
                  tabIndex={-1}
                  onClick={() => onGo(folderHref(link, item))}
                >
                  <IconFolderSymlink size={18} stroke={1.75} />
                </IconButton>
              </span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  let at = 0;
  return markMatches(text, query).map((part) => {
    const key = at++;
    return part.isMatch ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>;
  });
}
