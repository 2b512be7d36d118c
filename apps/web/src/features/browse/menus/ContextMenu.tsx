import { Menu } from '#/ui/menu/Menu.tsx';
import type { MenuAction } from './item-actions.ts';
import { MenuEntries } from './MenuEntries.tsx';
import classes from './menus.module.css';

/** Where a context menu was asked for. */
export interface MenuPlace {
  /** Position in the window, in px. */
  readonly x: number;
  readonly y: number;
  /** By a finger: the menu comes from the bottom of the screen. */
  readonly isTouch: boolean;
}

type Props = {
  place: MenuPlace;
  /** What the entries are about. */
  title: string;
  actions: readonly MenuAction[];
  onClose: () => void;
};

/** A menu at the pointer, or a sheet at the bottom of a touch screen. */
export function ContextMenu({ place: { x, y, isTouch }, title, actions, onClose }: Props) {
  return (
    <Menu
      key={`${x} ${y}`}
      opened
      onChange={(isOpen) => !isOpen && onClose()}
      position="bottom-start"
      offset={2}
      returnFocus={false}
      // Without keydown: the key that opens the menu is pressed outside of it.
      clickOutsideEvents={['mousedown', 'touchstart']}
      withOverlay={isTouch}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button type="button" tabIndex={-1} aria-label={`Menu of ${title}`} className={classes.anchor} style={{ left: x, top: y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Menu of ${title}`} className={isTouch ? classes.sheet : undefined}>
        {isTouch && <div className={classes.title}>{title}</div>}
        <MenuEntries actions={actions} />
      </Menu.Dropdown>
    </Menu>
  );
}
