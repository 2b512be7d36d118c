import type { MenuItem, MenuModel } from '@sheaf/contract';
import { IconChevronDown, IconPin, IconPinnedOff } from '@tabler/icons-react';
import { Fragment, type RefObject, useId, useState } from 'react';
import { LateFailure, late } from '#/lib/late.tsx';
import { useNext } from '#/lib/navigation/location.ts';
import { useSession } from '#/lib/session/session.ts';
import { useRunningTransfers } from '#/lib/transfers/page-transfers.ts';
import { addressOf, isCurrent } from './menu-address.ts';
import { MenuIcon } from './MenuIcon.tsx';
import type { SideMenuState } from './side-menu-state.ts';
import { SideMenuLink } from './SideMenuLink.tsx';
import classes from './SideMenu.module.css';

const MenuPlaces = late(() => import('./places/MenuPlaces.tsx').then((loaded) => loaded.MenuPlaces), null);
/** The menu works without its places; they are tried again when it opens again. */
const Nothing = (): null => null;

type Props = { menu: MenuModel; place: RefObject<HTMLElement | null>; state: SideMenuState; onDownload: () => void };
type EntryProps = { item: MenuItem; onLeave: () => void; onDownload: () => void };

/** The side menu sent by the server: addresses, routes, items with subpages, actions. */
export function SideMenu({ menu, place, state, onDownload }: Props) {
  const { form, isPinned, setPinned, close: onLeave } = state;
  const isSignedIn = useSession() !== undefined;
  const Pin = isPinned ? IconPinnedOff : IconPin;
  return (
    <nav className={classes.side} aria-label="Side menu" ref={place} tabIndex={-1} data-form={form}>
      {form !== 'full' && (
        <button type="button" className={classes.pin} onClick={() => setPinned(!isPinned)}>
          <Pin size={16} stroke={1.75} aria-hidden="true" />
          {isPinned ? 'Unpin menu' : 'Pin menu'}
        </button>
      )}
      {menu.items.map((item) => (
        <Fragment key={item.id}>
          {item.newSection === true && <hr className={classes.line} />}
          <Entry item={item} onLeave={onLeave} onDownload={onDownload} />
        </Fragment>
      ))}
      {isSignedIn && (
        <LateFailure value={Nothing}>
          <MenuPlaces onLeave={onLeave} />
        </LateFailure>
      )}
      {menu.hasFooter && (
        <div className={classes.foot}>
          {menu.footerItems.map((item) => (
            <SideMenuLink key={item.id} className={classes.small} href={addressOf(item)} newTab={item.newTab === true} onClick={onLeave}>
              {item.title}
            </SideMenuLink>
          ))}
        </div>
      )}
    </nav>
  );
}

function Entry({ item, onLeave, onDownload }: EntryProps) {
  const { pathname, search } = useNext();
  const here = pathname + search;
  if (item.menuParent) return <Parent item={item} entries={item.menuParent.childMenu} onLeave={onLeave} />;
  if (item.action === 'DOWNLOAD_DESKTOP') {
    const download = (): void => {
      onDownload();
      onLeave();
    };
    return (
      <button type="button" className={classes.entry} onClick={download}>
        <MenuIcon id={item.id} />
        {item.title}
      </button>
    );
  }
  return (
    <SideMenuLink
      className={classes.entry}
      href={addressOf(item)}
      newTab={item.newTab === true}
      onClick={onLeave}
      aria-current={isCurrent(item, here) ? 'page' : undefined}
    >
      <MenuIcon id={item.id} />
      {item.title}
      {item.id === 'transfers' && <RunningCount />}
    </SideMenuLink>
  );
}

/** Number of running transfers. */
function RunningCount() {
  const running = useRunningTransfers();
  return running === 0 ? null : (
    <span className={classes.running} aria-label={`${running} running`} role="img">
      {running}
    </span>
  );
}

type Child = NonNullable<MenuItem['menuParent']>['childMenu'][number];

function Parent({ item, entries, onLeave }: { item: MenuItem; entries: readonly Child[]; onLeave: () => void }) {
  const { pathname: here } = useNext();
  const [isOpen, setOpen] = useState(entries.some(({ url }) => url === here));
  const id = useId();
  return (
    <>
      <button type="button" className={classes.entry} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <MenuIcon id={item.id} />
        {item.title}
        <IconChevronDown className={classes.chevron} size={14} stroke={2} aria-hidden="true" />
      </button>
      <div id={id} hidden={!isOpen}>
        {entries.map((child) => (
          <SideMenuLink
            key={child.id}
            className={`${classes.entry} ${classes.child}`}
            href={child.url}
            newTab={child.newTab === true}
            onClick={onLeave}
            aria-current={child.url === here ? 'page' : undefined}
          >
            {child.title}
          </SideMenuLink>
        ))}
      </div>
    </>
  );
}
