import { Button } from '@mantine/core';
import type { LinkGroup as Group, Source } from '@sheaf/contract';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { LinkItem } from './LinkItem.tsx';
import { fix } from './pages/fix.ts';
import { type Link, linksByType } from './rows.ts';
import { linksOf, sourceUrl } from './source-route.ts';
import { UnlinkDialog } from './UnlinkDialog.tsx';
import classes from './links.module.css';

type Props = { source: Source; groups: readonly Group[]; /** Epoch seconds for which the rows hold. */ now: number };

/** The user's links of one source, visible once its dialog is closed. */
export function SourceLinks({ source, groups, now }: Props) {
  const [unlinking, setUnlinking] = useState<Link>();
  const go = useGo();
  const own = new Set(linksOf(source, groups).map(({ userLinkId }) => userLinkId));
  const links = linksByType(groups).flatMap((group) => group.links.filter(({ userLinkId }) => own.has(userLinkId)));
  const edit = ({ userLinkId }: Link): void => go(`${sourceUrl(source)}?userLinkId=${encodeURIComponent(userLinkId)}`);

  return (
    <Page>
      <PageHead title={source.title} line={links.length === 1 ? '1 link.' : `${links.length} links.`}>
        <Button component={PathLink} href="/account/mysheaf" variant="subtle">
          My links
        </Button>
        <Button component={PathLink} href={sourceUrl(source, true)} variant="filled" leftSection={<IconPlus size={16} stroke={1.75} />}>
          Link another
        </Button>
      </PageHead>
      <ul className={classes.links}>
        {links.map((link) => (
          <LinkItem
            key={link.userLinkId}
            link={link}
            now={now}
            onEdit={() => edit(link)}
            onFix={() => fix(link, () => edit(link))}
            onUnlink={() => setUnlinking(link)}
          />
        ))}
      </ul>
      {unlinking && <UnlinkDialog link={unlinking} onClose={() => setUnlinking(undefined)} />}
    </Page>
  );
}
