import {
  type Icon,
  IconApps,
  IconArrowsDownUp,
  IconBuilding,
  IconCircleDot,
  IconDeviceDesktopDown,
  IconFolders,
  IconHelpCircle,
  IconHistory,
  IconLink,
  IconLock,
  IconServerCog,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { createElement } from 'react';

const icons: Readonly<Record<string, Icon>> = {
  links: IconFolders,
  shares: IconLink,
  spaces: IconUsers,
  encryption: IconLock,
  org: IconBuilding,
  transfers: IconArrowsDownUp,
  marketplace: IconApps,
  backup: IconHistory,
  download: IconDeviceDesktopDown,
  forum: IconHelpCircle,
  account: IconUserCircle,
  operator: IconServerCog,
};

/** Icon of a menu item, by the item's id. */
export function MenuIcon({ id }: { id: string }) {
  return createElement(icons[id] ?? IconCircleDot, { size: 18, stroke: 1.75, 'aria-hidden': true });
}
