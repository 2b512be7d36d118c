import { Button } from '@mantine/core';
import { priceText, products } from '@sheaf/contract';
import { IconCreditCard, IconFolders, IconUsersGroup } from '@tabler/icons-react';
import { useState } from 'react';
import { usePaysHere } from '#/features/orgs/queries.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { orgHome } from '#/lib/org-address.ts';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { accessTargets } from './access-targets.ts';
import { EnableOrgDialog } from './EnableOrgDialog.tsx';
import classes from '../orgs.module.css';

const { price, currency, term, trialDays: freeDays, units } = products.org;

/** Explains organisations, with the dialog that creates one. */
export function OrgAccessPage() {
  const { trialDays, returnPath, successPath } = accessTargets(useQueryParams());
  const [isOpen, setOpen] = useState(true);
  const pays = usePaysHere();
  const go = useGo();
  const close = (): void => (returnPath === '/org-access' ? setOpen(false) : go(returnPath));
  return (
    <Page>
      <PageHead title="Organisation access" line="Purchase for your whole group with one credit card.">
        <div className={classes.actions}>
          <Button component={PathLink} href={orgHome} variant="subtle">
            My organisations
          </Button>
          <Button variant="filled" onClick={() => setOpen(true)}>
            Enable Org Access
          </Button>
        </div>
      </PageHead>
      <ul className={classes.promises}>
        <li>
          <IconFolders size={20} stroke={1.5} aria-hidden="true" />
          <div>
            <h2>Storage for everybody</h2>
            <p>What is linked for the organisation is there for each of its members, beside what is their own.</p>
          </div>
        </li>
        <li>
          <IconUsersGroup size={20} stroke={1.5} aria-hidden="true" />
          <div>
            <h2>Members and roles</h2>
            <p>Invite people by e-mail. Members manage the links, admins also the people; you look after the plan.</p>
          </div>
        </li>
        {pays === true && (
          <li>
            <IconCreditCard size={20} stroke={1.5} aria-hidden="true" />
            <div>
              <h2>One bill</h2>
              <p>
                {priceText(price, currency)} a member and {term}. The first {freeDays} days are free for {units.trial} members, without a
                credit card.
              </p>
            </div>
          </li>
        )}
      </ul>
      {isOpen && <EnableOrgDialog trialDays={trialDays} onDone={() => go(successPath)} onClose={close} />}
    </Page>
  );
}
