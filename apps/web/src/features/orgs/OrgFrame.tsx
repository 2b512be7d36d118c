import { Button } from '@mantine/core';
import { type Org, type OrgRight, mayInOrg } from '@sheaf/contract';
import { IconChevronLeft, IconLock, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { inOrg, orgHome } from '#/lib/org-address.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { pagesFor } from './org-pages.ts';
import { orgList, usePaysHere } from './queries.ts';
import { orgLine, whoMay } from './words.ts';
import classes from './orgs.module.css';

type Props = {
  right: OrgRight;
  /** The page's subject, in words: "the members". */
  what: string;
  children: (org: Org) => ReactNode;
};

/** Frame of the pages of the organisation in the address: its name, its other pages, and a refusal without the right. */
export function OrgFrame({ right, what, children }: Props) {
  const { orgOid } = useQueryParams();
  const { data, error, refetch } = useQuery(orgList);
  const here = useRoute()?.route.pattern;
  const pays = usePaysHere();
  const org = data?.orgs.find((one) => one.orgOid === orgOid);
  const home = (
    <Button component={PathLink} href={orgHome}>
      Show my organisations
    </Button>
  );

  if (error && !data)
    return <ErrorState level={1} title="The organisation could not be loaded" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Page>
        <SkeletonRows count={5} />
      </Page>
    );
  }
  if (!org) {
    return (
      <EmptyState level={1} icon={<IconUsersGroup size={24} stroke={1.5} />} title="This organisation could not be found" actions={home}>
        You may no longer be a member of it.
      </EmptyState>
    );
  }
  return (
    <Page>
      <PathLink className={classes.back} href={orgHome}>
        <IconChevronLeft size={16} stroke={1.75} aria-hidden="true" />
        Organisation
      </PathLink>
      <PageHead title={org.name} line={orgLine(org)} />
      <nav className={classes.pages} aria-label="Pages of the organisation">
        {pagesFor(org.role, pays).map(({ title, path }) => (
          <PathLink key={path} href={inOrg(path, org.orgOid)} aria-current={path === here ? 'page' : undefined}>
            {title}
          </PathLink>
        ))}
      </nav>
      {mayInOrg(org.role, right) ? (
        children(org)
      ) : (
        <EmptyState icon={<IconLock size={24} stroke={1.5} />} title={`${whoMay(right)} can see ${what}`} actions={home} />
      )}
    </Page>
  );
}
