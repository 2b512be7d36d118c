import type { ReactNode } from 'react';
import { Menu } from './Menu.tsx';
import classes from './AnchoredMenu.module.css';

/** An open menu at its parent element, which has `position: relative` and holds the menu's button. */
export function AnchoredMenu({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  return (
    <Menu opened onChange={(isOpen) => !isOpen && onClose()} returnFocus={false} clickOutsideEvents={['mousedown', 'touchstart']}>
      <Menu.Target>
        <button type="button" tabIndex={-1} aria-hidden="true" className={classes.anchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  );
}
