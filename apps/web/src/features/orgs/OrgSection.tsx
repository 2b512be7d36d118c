import { Button } from '@mantine/core';
import { type Org, mayInOrg } from '@sheaf/contract';
import { IconDoorExit, IconPlus } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { inOrg } from '#/lib/org-address.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { pagesFor } from './org-pages.ts';
import { usePaysHere } from './queries.ts';
import { LeaveDialog } from './settings/LeaveDialog.tsx';
import { orgLine } from './words.ts';
import classes from './orgs.module.css';

type Props = { org: Org; Links: ComponentType<{ orgOid: string; isEnded: boolean }> };

/** One organisation: its details, the user's actions, and its links. */
export function OrgSection({ org, Links }: Props) {
  const { orgOid, name, role, state } = org;
  const [isLeaving, setLeaving] = useState(false);
  const pays = usePaysHere();
  return (
    <section className={classes.org} aria-labelledby={`org-${orgOid}`}>
      <div className={classes.orgHead}>
        <div className={classes.who}>
          <h2 id={`org-${orgOid}`}>{name}</h2>
          <p>{orgLine(org)}</p>
        </div>
        <div className={classes.actions}>
          {pagesFor(role, pays).map(({ title, path }) => (
            <Button key={path} size="sm" component={PathLink} href={inOrg(path, orgOid)}>
              {title}
            </Button>
          ))}
          <Button
            size="sm"
            variant="filled"
            component={PathLink}
            href={inOrg('/links', orgOid)}
            leftSection={<IconPlus size={16} stroke={1.75} />}
          >
            Link another
          </Button>
          {role !== 'owner' && (
            <ItemMenu of={name}>
              <Menu.Item data-danger leftSection={<IconDoorExit size={18} stroke={1.75} />} onClick={() => setLeaving(true)}>
                Leave
              </Menu.Item>
            </ItemMenu>
          )}
        </div>
      </div>
      {state === 'expired' && <Ended org={org} />}
      <Links orgOid={orgOid} isEnded={state === 'expired'} />
      {isLeaving && <LeaveDialog org={org} onClose={() => setLeaving(false)} />}
    </section>
  );
}

/** Says that the plan has ended, and who can renew it. */
function Ended({ org: { orgOid, role } }: { org: Org }) {
  return (
    <div className={classes.ended}>
      <Notice kind="note">
        The plan has ended. The links are kept, but their files cannot be reached until it is renewed.{' '}
        {mayInOrg(role, 'billing') ? (
          <PathLink className={classes.textLink} href={inOrg('/org/subscription', orgOid)}>
            Renew it
          </PathLink>
        ) : (
          'Please ask the owner.'
        )}
      </Notice>
    </div>
  );
}
