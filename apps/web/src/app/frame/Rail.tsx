import type { MenuItem, MenuModel } from '@sheaf/contract';
import { useRef } from 'react';
import { useNext } from '#/lib/navigation/location.ts';
import { useRunningTransfers } from '#/lib/transfers/page-transfers.ts';
import { useTip } from '#/ui/feedback/Tip.tsx';
import { addressOf, isCurrent } from './menu-address.ts';
import { MenuIcon } from './MenuIcon.tsx';
import { SideMenuLink } from './SideMenuLink.tsx';
import classes from './Rail.module.css';

type Props = {
  menu: MenuModel;
  /** Whether the floating menu covers the rail. */
  isCovered: boolean;
  /** Opens the side menu, where items with subpages show them. */
  onMenu: () => void;
  onDownload: () => void;
};

/** The side menu's items as a narrow column of icons. */
export function Rail({ menu, isCovered, ...on }: Props) {
  return (
    <nav className={classes.rail} aria-label="Main pages" inert={isCovered}>
      {menu.items.map((item) => (
        <Place key={item.id} item={item} isCovered={isCovered} {...on} />
      ))}
    </nav>
  );
}

function Place({ item, isCovered, onMenu, onDownload }: Omit<Props, 'menu'> & { item: MenuItem }) {
  const { pathname, search } = useNext();
  const here = pathname + search;
  const running = useRunningTransfers();
  const isRunning = item.id === 'transfers' && running > 0;
  const title = isRunning ? `${item.title}, ${running} running` : item.title;
  const marks = { className: classes.place, 'data-section': item.newSection === true || undefined, 'aria-label': title };
  const icon = (
    <>
      <MenuIcon id={item.id} />
      {isRunning && (
        <span className={classes.running} aria-hidden="true">
          {running}
        </span>
      )}
    </>
  );
  const place = useRef<HTMLAnchorElement & HTMLButtonElement>(null);
  const tip = useTip(place, title, { side: 'right' });
  const isPage = !item.menuParent && item.action !== 'DOWNLOAD_DESKTOP';
  return (
    <>
      {isPage ? (
        <SideMenuLink
          {...marks}
          ref={place}
          href={addressOf(item)}
          newTab={item.newTab === true}
          aria-current={!isCovered && isCurrent(item, here) ? 'page' : undefined}
        >
          {icon}
        </SideMenuLink>
      ) : (
        <button
          type="button"
          {...marks}
          ref={place}
          onClick={(event) => {
            // Otherwise the click that opens the menu would count as a click outside and close it.
            event.stopPropagation();
            (item.menuParent ? onMenu : onDownload)();
          }}
        >
          {icon}
        </button>
      )}
      {tip}
    </>
  );
}
