import { Fragment } from 'react';
import { Menu } from '#/ui/menu/Menu.tsx';
import type { MenuAction } from './item-actions.ts';
import classes from './menus.module.css';

/** Entries of a menu, with a line between groups. */
export function MenuEntries({ actions }: { actions: readonly MenuAction[] }) {
  return actions.map(({ title, Icon, group, keys, isDanger, run }, at) => (
    <Fragment key={title}>
      {at > 0 && actions[at - 1]?.group !== group && <Menu.Divider />}
      <Menu.Item
        leftSection={<Icon size={18} stroke={1.75} />}
        rightSection={
          keys !== undefined && (
            <kbd className={classes.keys} aria-hidden="true">
              {keys}
            </kbd>
          )
        }
        data-danger={isDanger}
        onClick={run}
      >
        {title}
      </Menu.Item>
    </Fragment>
  ));
}
