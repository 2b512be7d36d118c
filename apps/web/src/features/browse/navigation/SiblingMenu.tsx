import { Loader } from '@mantine/core';
import type { Item } from '@sheaf/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { foldersIn, linkGroups } from '#/features/browse/listing/queries.ts';
import { useMember } from '#/features/browse/member.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { usePlaceHref } from './view.ts';
import classes from './Breadcrumb.module.css';

type Props = {
  name: string;
  parentNames: readonly string[];
  /** The parent folder; undefined for a link. */
  parent: Item | undefined;
};

/** Siblings of a folder in the breadcrumb, or the other links. */
export function SiblingMenu({ name, parentNames, parent }: Props) {
  const [isOpen, setOpen] = useState(false);
  const hrefOf = usePlaceHref();
  const here = hrefOf([...parentNames, name]).split('?')[0];
  const isLink = parentNames.length === 0;
  const folders = useQuery({ ...foldersIn(parent?.linkUri ?? '', useMember()), enabled: isOpen && parent !== undefined });
  const links = useQuery({ ...linkGroups, enabled: isOpen && isLink });
  const entries = isLink
    ? links.data?.activeSources.flatMap((group) => group.links.map((link) => ({ name: link.name, href: link.browseUrl })))
    : folders.data?.map((item) => ({ name: item.name, href: hrefOf([...parentNames, item.disambiguatedName]) }));
  const error = isLink ? links.error : folders.error;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start" keepMounted={false}>
      <Menu.Target>
        <IconButton small label={`Beside ${name}`} withTooltip={false}>
          <IconChevronDown size={14} stroke={2} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.siblings}>
        {error && <Menu.Label>{errorText(error)}</Menu.Label>}
        {!error && !entries && (
          <Menu.Label>
            <Loader size={14} color="var(--accent)" aria-label="Loading" />
          </Menu.Label>
        )}
        {entries?.map((entry) => (
          <Menu.Item
            key={entry.href}
            component={PathLink}
            href={entry.href}
            leftSection={<FileIcon kind="folder" size={18} />}
            aria-current={entry.href.split('?')[0] === here ? 'true' : undefined}
          >
            {entry.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
