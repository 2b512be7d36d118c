import { Button } from '@mantine/core';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { Bins } from './Bins.tsx';
import { RecentChanges } from './RecentChanges.tsx';
import classes from './changes.module.css';

const page = '/account/changes';

/** The user's recent changes, which can be undone, and the bins of their links. */
export function ChangesPage() {
  const { show, link = '' } = useQueryParams();
  const isBins = show === 'bins';
  const tabs = [
    { title: 'Recently changed', href: page, isShown: !isBins },
    { title: 'Bins', href: withQuery(page, { show: 'bins' }), isShown: isBins },
  ];
  return (
    <Page>
      <PageHead title="Changes and bins" />
      <nav className={classes.tabs} aria-label="Changes and bins">
        {tabs.map(({ title, href, isShown }) => (
          <Button
            key={title}
            component={PathLink}
            href={href}
            variant={isShown ? 'light' : 'subtle'}
            aria-current={isShown ? 'page' : undefined}
          >
            {title}
          </Button>
        ))}
      </nav>
      {isBins ? <Bins linkUri={link} hrefOf={(linkUri) => withQuery(page, { show: 'bins', link: linkUri })} /> : <RecentChanges />}
    </Page>
  );
}
