import { Button, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHere } from '#/lib/navigation/location.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { visitorSignInAddress } from '#/lib/session/sign-in-address.ts';
import { useBrand } from '#/ui/brand/brand.ts';
import { BrandLinks } from '#/ui/brand/BrandLinks.tsx';
import { Mark } from '#/ui/brand/Mark.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { SkipLink } from '#/ui/SkipLink.tsx';
import { Screen } from '../../navigation/Screen.tsx';
import { DownloadPopover } from '../DownloadPopover.tsx';
import { addressOf } from '../menu-address.ts';
import { SideMenuLink } from '../SideMenuLink.tsx';
import classes from './PublicFrame.module.css';

const pages = [
  { title: 'What you can link', href: '/linkmarketplace' },
  { title: 'Help', href: '/forum' },
  { title: 'About', href: '/about' },
  { title: 'Careers', href: '/careers' },
  { title: 'Download', href: '/download' },
] as const;

/** Frame of a visitor's pages: logo and name, the visitors' menu, and the sign-in button. */
export function PublicFrame() {
  const items = useQuery(sessionQuery).data?.menu.items ?? [];
  const here = useHere();
  const { name } = useBrand();
  const [isDownloading, setDownloading] = useState(false);
  return (
    <div className={classes.frame}>
      <SkipLink href="#sheet">Skip to content</SkipLink>
      <header className={classes.bar}>
        <PathLink className={classes.brand} href="/" aria-label={`${name}, start page`}>
          <Mark size={30} />
          {name}
        </PathLink>
        <nav className={classes.menu} aria-label="Menu">
          {items
            .filter((item) => item.id !== 'signin')
            .map((item) =>
              item.action === 'DOWNLOAD_DESKTOP' ? (
                <UnstyledButton key={item.id} className={classes.entry} onClick={() => setDownloading(true)}>
                  {item.title}
                </UnstyledButton>
              ) : (
                <SideMenuLink
                  key={item.id}
                  className={classes.entry}
                  href={addressOf(item)}
                  newTab={item.newTab === true}
                  onClick={() => undefined}
                >
                  {item.title}
                </SideMenuLink>
              ),
            )}
        </nav>
        <Button size="sm" className={classes.signIn} component={PathLink} href={visitorSignInAddress(here, 'menubar')}>
          SIGN IN
        </Button>
      </header>
      {isDownloading && <DownloadPopover onClose={() => setDownloading(false)} />}
      <main className={classes.main} id="sheet" tabIndex={-1}>
        <Screen />
      </main>
      <footer className={classes.foot}>
        <span>Sheaf is self-hosted: it runs on your own machine.</span>
        <nav aria-label="More pages">
          {pages.map(({ title, href }) => (
            <PathLink key={href} href={href}>
              {title}
            </PathLink>
          ))}
        </nav>
        <BrandLinks />
      </footer>
    </div>
  );
}
