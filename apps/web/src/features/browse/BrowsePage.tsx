import { Button, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { PreviewProps } from '#/lib/files/previewing.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { orgHome } from '#/lib/org-address.ts';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { Folder } from './Folder.tsx';
import { linkGroups, resolved } from './listing/queries.ts';
import { Refused } from './listing/Refused.tsx';
import { useTrouble } from './listing/use-trouble.ts';
import { MemberContext, memberByLink, useMember } from './member.ts';
import { Breadcrumb } from './navigation/Breadcrumb.tsx';
import { useArea } from './navigation/view.ts';
import { isOfOrg, isReadOnly, namesOf } from './paths.ts';
import { WaitingRows } from './rows/WaitingRows.tsx';
import { SingleFile } from './SingleFile.tsx';
import classes from './browse.module.css';

/** The folder or file at the path in the address. */
export function BrowsePage({ Preview }: { Preview: ComponentType<PreviewProps> }) {
  const area = useArea();
  const names = namesOf(useRoute()?.splat ?? '');
  if (!names) return <ErrorState level={1} title="This address is not valid" message="Part of it is malformed." />;
  if (isOfOrg(area)) return <OrgPlace names={names} Preview={Preview} />;
  // In read-only areas addresses name files; moving between them keeps the folder.
  return <Place key={isReadOnly(area) ? area : names.join('/')} names={names} Preview={Preview} />;
}

/** An organisation's item, seen under the membership in the address or the one that the link belongs to. */
function OrgPlace({ names, Preview }: { names: readonly string[]; Preview: ComponentType<PreviewProps> }) {
  const { orgMembershipOid } = useQueryParams();
  const [linkName = ''] = names;
  const links = useQuery({ ...linkGroups, enabled: orgMembershipOid === undefined });
  const memberOid = orgMembershipOid ?? (links.data && memberByLink(links.data.activeSources, linkName));
  if (memberOid !== undefined) {
    return (
      <MemberContext value={memberOid}>
        <Place key={names.join('/')} names={names} Preview={Preview} />
      </MemberContext>
    );
  }
  if (links.error) {
    return (
      <ErrorState level={1} title="This folder cannot be shown" message={errorText(links.error)} onRetry={() => void links.refetch()} />
    );
  }
  if (!links.data) return <Waiting names={names} />;
  return (
    <ErrorState
      level={1}
      title="This folder cannot be shown"
      message={`None of your organisations has a link named ${linkName}.`}
      actions={
        <Button component={PathLink} href={orgHome}>
          Show my organisations
        </Button>
      }
    />
  );
}

function Waiting({ names }: { names: readonly string[] }) {
  return (
    <section className={classes.pane}>
      <VisuallyHidden component="h1">{names.at(-1)}</VisuallyHidden>
      <Breadcrumb names={names} items={[]} />
      <div className={classes.toolsPlace} />
      <WaitingRows />
    </section>
  );
}

function Place({ names, Preview }: { names: readonly string[]; Preview: ComponentType<PreviewProps> }) {
  const area = useArea();
  const { data, error, refetch } = useQuery(resolved(names, useMember()));
  useTrouble(names.join('/'), error);

  if (data) {
    const { item, ancestors } = data;
    const above = ancestors.at(-1);
    if (item.fileType === 'FOLDER')
      return <Folder key={item.linkUri} names={names} folder={item} ancestors={ancestors} Preview={Preview} />;
    return isReadOnly(area) && above ? (
      <Folder
        key={above.linkUri}
        names={names.slice(0, -1)}
        folder={above}
        ancestors={ancestors.slice(0, -1)}
        Preview={Preview}
        file={item}
      />
    ) : (
      <SingleFile names={names} file={item} ancestors={ancestors} />
    );
  }
  if (!error) return <Waiting names={names} />;
  return (
    <section className={classes.pane}>
      <VisuallyHidden component="h1">{names.at(-1)}</VisuallyHidden>
      <Breadcrumb names={names} items={[]} />
      <Refused linkName={names[0] ?? ''} error={error} onRetry={() => void refetch()} />
    </section>
  );
}
