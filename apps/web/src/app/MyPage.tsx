import { useQuery } from '@tanstack/react-query';
import { LinksPage } from '#/features/links/pages/LinksPage.tsx';
import { linkList } from '#/features/links/queries.ts';
import { rooms } from '#/features/links/rooms.ts';
import { linksByType } from '#/features/links/rows.ts';
import { late } from '#/lib/late.tsx';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { places } from '#/lib/places.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { Region } from '#/ui/Region.tsx';
import { placesOfLinks } from './frame/places/places-of-links.ts';
import { Arrivals, arrivals } from './home/Arrivals.tsx';
import { Attention } from './home/Attention.tsx';
import { Continue } from './home/Continue.tsx';
import homeClasses from './home/home.module.css';
import classes from './MyPage.module.css';

const home = '/account/mysheaf';

const waiting = (
  <Page>
    <SkeletonRows count={3} />
  </Page>
);
const SharesPage = late(() => import('#/features/shares/list/SharesPage.tsx').then((loaded) => loaded.SharesPage), waiting);
const SpacesCategory = late(() => import('./SpacesCategory.tsx').then((loaded) => loaded.SpacesCategory), waiting);
const EncryptionCategory = late(() => import('./EncryptionCategory.tsx').then((loaded) => loaded.EncryptionCategory), waiting);
const OrgCategory = late(() => import('./OrgCategory.tsx').then((loaded) => loaded.OrgCategory), waiting);
const PlansNotice = late(() => import('#/features/accounts/agents/PlansNotice.tsx').then((loaded) => loaded.PlansNotice), null);
const SpaceLinkDialog = late(
  () => import('#/features/spaces/EditSpaceDialog.tsx').then((loaded) => loaded.EditSpaceLinkDialog),
  null,
  'overlay',
);

const categories = [
  { id: 'links', title: 'Links' },
  { id: 'shares', title: 'Shared links' },
  { id: 'spaces', title: 'Spaces' },
  { id: 'encryption', title: 'Encryption' },
  { id: 'org', title: 'Organisation' },
] as const;

/** The home page: the links, or the category in the address, each in its own region. */
export function MyPage() {
  const { catid } = useQueryParams();
  const { id } = categories.find((category) => category.id === catid) ?? categories[0];
  return (
    <>
      <nav className={classes.tabs} aria-label="Categories">
        {categories.map((category) => (
          <PathLink
            key={category.id}
            className={classes.tab}
            href={category.id === 'links' ? home : `${home}?catid=${category.id}`}
            aria-current={category.id === id ? 'page' : undefined}
            ref={category.id === id ? bringIntoView : undefined}
          >
            {category.title}
          </PathLink>
        ))}
      </nav>
      {id === 'links' && <Home />}
      {id === 'shares' && (
        <Region id="share-list" name="Share list">
          <SharesPage />
        </Region>
      )}
      {id === 'spaces' && (
        <Region id="space-list" name="Space list">
          <SpacesCategory />
        </Region>
      )}
      {id === 'encryption' && (
        <Region id="encryption-list" name="Encryption list">
          <EncryptionCategory />
        </Region>
      )}
      {id === 'org' && (
        <Region id="organisation-list" name="Organisation list">
          <OrgCategory />
        </Region>
      )}
    </>
  );
}

/** The links, under what needs attention, what was used lately and what has arrived. */
function Home() {
  const { data, isPending, failureCount } = useQuery(places);
  const { data: arrived = [], isPending: isArriving, failureCount: missed } = useQuery(arrivals);
  const room = useQuery(rooms).data;
  const groups = useQuery(linkList()).data?.activeSources;
  const links = groups && linksByType(groups).flatMap((group) => group.links);
  const recents = data && links ? placesOfLinks(data.recents, links) : [];
  return (
    <LinksPage
      returnUrl={home}
      SpaceDialog={SpaceLinkDialog}
      start={
        links && (
          <div className={homeClasses.start}>
            <PlansNotice />
            <Attention links={links} rooms={room} />
            <div className={homeClasses.both} data-two={(arrived.length > 0 && recents.length > 0) || undefined}>
              <Continue recents={recents} />
              <Arrivals shown={arrived} />
            </div>
          </div>
        )
      }
      isStarting={(isPending && failureCount === 0) || (isArriving && missed === 0)}
    />
  );
}

/** The tabs may be wider than the window. */
const bringIntoView = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
