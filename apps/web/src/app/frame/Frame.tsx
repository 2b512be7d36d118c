import type { Session } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useAppKeys } from '#/features/keys/use-app-keys.ts';
import { TransfersStrip } from '#/features/transfers/TransfersStrip.tsx';
import { useAnnouncements } from '#/features/transfers/use-announcements.ts';
import { useFileDrops } from '#/lib/files/file-drops.ts';
import { late } from '#/lib/late.tsx';
import { useRoute } from '#/lib/navigation/route.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { useShareRequest } from '#/lib/sharing/share-request.ts';
import { useDecision } from '#/lib/transfers/decisions.ts';
import { useFollowTransfers, useOwnTransfers } from '#/lib/transfers/page-transfers.ts';
import { useTransferRequest } from '#/lib/transfers/request.ts';
import { useIsAsking, useUploadTotal } from '#/lib/uploads/page-uploads.ts';
import { SkipLink } from '#/ui/SkipLink.tsx';
import { Screen } from '../navigation/Screen.tsx';
import { DownloadPopover } from './DownloadPopover.tsx';
import { Rail } from './Rail.tsx';
import { useSideMenu } from './side-menu-state.ts';
import { SideMenu } from './SideMenu.tsx';
import { TopBar } from './TopBar.tsx';
import classes from './Frame.module.css';

const TransfersDrawer = late(
  () => import('#/features/transfers/TransfersDrawer.tsx').then((loaded) => loaded.TransfersDrawer),
  null,
  'overlay',
);
const ConflictDialog = late(
  () => import('#/features/transfers/ConflictDialog.tsx').then((loaded) => loaded.ConflictDialog),
  null,
  'overlay',
);
const RequestedShare = late(() => import('#/features/shares/RequestedShare.tsx').then((loaded) => loaded.RequestedShare), null, 'overlay');
const RequestedTransfer = late(() => import('./RequestedTransfer.tsx').then((loaded) => loaded.RequestedTransfer), null, 'overlay');
const SearchDialog = late(() => import('#/features/search/SearchDialog.tsx').then((loaded) => loaded.SearchDialog), null, 'overlay');
const KeysDialog = late(() => import('#/features/keys/KeysDialog.tsx').then((loaded) => loaded.KeysDialog), null, 'overlay');
const DecisionDialog = late(
  () => import('#/features/transfers/dialogs/DecisionDialog.tsx').then((loaded) => loaded.DecisionDialog),
  null,
  'overlay',
);

/** Frame of a signed-in user's screens: top bar, side menu, and a white sheet for the content. */
export function Frame({ session }: { session: Session }) {
  const { menu, isOperator = false } = useQuery(sessionQuery).data ?? {};
  const burger = useRef<HTMLButtonElement>(null);
  const side = useRef<HTMLElement>(null);
  const sideMenu = useSideMenu(side, burger);
  const [isDrawerOpen, setDrawerOpen] = useDrawer();
  const [isDownloading, setDownloading] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const openSearch = useCallback(() => setSearching(true), []);
  const [isShowingKeys, setShowingKeys] = useState(false);
  const showKeys = useCallback(() => setShowingKeys(true), []);
  useAppKeys({ onSearch: openSearch, onKeys: showKeys });
  const isAsking = useIsAsking();
  const isSharing = useShareRequest() !== undefined;
  const isChoosingTarget = useTransferRequest() !== undefined;
  const deciding = useDecision();
  // There the strip would cover what it tells of.
  const isTransfersPage = useRoute()?.route.name.startsWith('transfer') === true;
  useFollowTransfers();
  useAnnouncements();
  const refused = useFileDrops({ text: 'Open a folder first: files go into the folder in view.', onDrop: undefined });

  return (
    <div className={classes.app} data-menu={sideMenu.form} data-drawer={isDrawerOpen || undefined}>
      <SkipLink href="#sheet">Skip to content</SkipLink>
      <TopBar
        session={session}
        isOperator={isOperator}
        isMenuOpen={sideMenu.form !== 'closed'}
        onMenu={sideMenu.toggle}
        burger={burger}
        onSearch={openSearch}
        isDrawerOpen={isDrawerOpen}
        onDrawer={() => setDrawerOpen(!isDrawerOpen)}
      />
      {menu && sideMenu.hasRail && (
        <Rail menu={menu} isCovered={sideMenu.form === 'floating'} onMenu={sideMenu.toggle} onDownload={() => setDownloading(true)} />
      )}
      {menu && sideMenu.form !== 'closed' && <SideMenu menu={menu} place={side} state={sideMenu} onDownload={() => setDownloading(true)} />}
      <main className={classes.sheet} id="sheet" tabIndex={-1}>
        <Screen />
      </main>
      {isDrawerOpen && <TransfersDrawer onClose={() => setDrawerOpen(false)} />}
      {!isDrawerOpen && !isTransfersPage && <TransfersStrip onOpen={() => setDrawerOpen(true)} />}
      {isDownloading && <DownloadPopover onClose={() => setDownloading(false)} />}
      {isSearching && <SearchDialog onClose={() => setSearching(false)} />}
      {isShowingKeys && <KeysDialog onClose={() => setShowingKeys(false)} />}
      {isAsking && <ConflictDialog />}
      {isSharing && <RequestedShare />}
      {isChoosingTarget && <RequestedTransfer />}
      {deciding !== undefined && <DecisionDialog transferId={deciding} />}
      {refused !== undefined && (
        <div className={classes.refused} role="status">
          {refused}
        </div>
      )}
    </div>
  );
}

/** Whether the transfers drawer is open; on wide screens it opens automatically when an upload or transfer starts here. */
function useDrawer(): [boolean, (open: boolean) => void] {
  const newest = useUploadTotal() + useOwnTransfers();
  const [isOpen, setOpen] = useState(false);
  const [seen, setSeen] = useState(newest);
  if (newest > seen) {
    setSeen(newest);
    if (matchMedia('(min-width: 700px)').matches) setOpen(true);
  }
  return [isOpen, setOpen];
}
