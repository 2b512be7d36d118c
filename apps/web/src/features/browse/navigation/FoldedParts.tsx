import { IconChevronRight, IconDots } from '@tabler/icons-react';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { usePlaceHref } from './view.ts';
import classes from './Breadcrumb.module.css';

/** The folders in the middle of a deep path, as a menu from the topmost down; each path begins with the link's name. */
export function FoldedParts({ paths }: { paths: readonly (readonly string[])[] }) {
  const hrefOf = usePlaceHref();
  return (
    <li className={classes.folded} data-above>
      <IconChevronRight className={classes.separator} size={16} stroke={1.5} aria-hidden="true" />
      <Menu position="bottom-start" keepMounted={false}>
        <Menu.Target>
          <IconButton small label={`${paths.length} folders between`} withTooltip={false}>
            <IconDots size={16} stroke={2} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown className={classes.siblings}>
          {paths.map((path) => (
            <Menu.Item key={hrefOf(path)} component={PathLink} href={hrefOf(path)} leftSection={<FileIcon kind="folder" size={18} />}>
              {path.at(-1)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
