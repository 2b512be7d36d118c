import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from '#/ui/IconButton.tsx';
import { Menu } from './Menu.tsx';

/** Menu of a row or section, behind three dots; `of` names what it belongs to. */
export function ItemMenu({ of, disabled = false, children }: { of: string; disabled?: boolean; children: ReactNode }) {
  return (
    <Menu>
      <Menu.Target>
        <IconButton label={`Menu of ${of}`} withTooltip={false} disabled={disabled}>
          <IconDots size={18} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
