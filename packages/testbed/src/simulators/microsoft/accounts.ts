import type { Account, Handler } from '../kit/index.ts';
import type { Drive } from './drive.ts';
import { itemNotFound } from './replies.ts';
import { type Site, type World, driveOf } from './state.ts';
import { selected } from './wire.ts';

const stateOf = (used: number, total: number): string => (used >= total ? 'exceeded' : 'normal');

function toDrive(drive: Drive) {
  const { id, name, type, root, state } = drive;
  const used = drive.sizeOf(root);
  const quota = { total: state.total, used, remaining: Math.max(0, state.total - used), deleted: 0, state: stateOf(used, state.total) };
  return { id, name, driveType: type, quota };
}

const toSite = ({ id, displayName }: Site) => ({
  id,
  displayName,
  name: displayName.toLowerCase().replaceAll(' ', ''),
  webUrl: `https://example.sharepoint.example/sites/${encodeURIComponent(displayName)}`,
});

/** Routes of the user, the own drive, sites and their libraries. */
export function accountRoutes(world: World, isPersonal: (account: Account) => boolean): Record<string, Handler> {
  const sitesOf = (account: Account): Site[] =>
    world.sites.filter(({ libraries }) => libraries.some(({ accounts }) => accounts.includes(account.id)));
  return {
    'GET /users/{user-id}': ({ account, query }) => {
      const { id, name, email } = account;
      // Personal accounts have no organisation mailbox.
      const profile = { id, displayName: name, userPrincipalName: email, mail: isPersonal(account) ? null : email };
      return { json: selected(profile, query) };
    },
    'GET /users/{user-id}/drive': ({ account, query }) => ({ json: selected(toDrive(driveOf(world, account)), query) }),
    'GET /users/{user-id}/followedSites': ({ account }) => ({
      json: {
        value: sitesOf(account)
          .filter(({ isFollowed }) => isFollowed)
          .map(toSite),
      },
    }),
    'GET /sites': ({ account, query }) => {
      const word = query.get('search') ?? '';
      // The search omits sites that are not indexed yet, such as a new one that is already followed.
      const found = sitesOf(account).filter(({ displayName, isFollowed }) => !isFollowed && (word === '*' || displayName.includes(word)));
      return { json: { value: found.map(toSite) } };
    },
    'GET /sites/{site-id}/drives': ({ account, params, query }) => {
      const site = sitesOf(account).find(({ id }) => id === params['site-id']);
      if (!site) throw itemNotFound();
      const libraries = site.libraries.filter(({ accounts }) => accounts.includes(account.id));
      return { json: { value: libraries.map((library) => selected(toDrive(library), query)) } };
    },
  };
}
