import type { Handler, OAuth } from '../kit/index.ts';
import type { People, Person } from './people.ts';
import { refusal } from './refusals.ts';
import { sizeOf } from './tree.ts';
import type { UploadState } from './uploads.ts';

const nameOf = ({ account }: Person) => {
  const [given = '', surname = ''] = account.name.split(' ');
  return { given_name: given, surname, familiar_name: given, display_name: account.name, abbreviated_name: given.slice(0, 1) };
};

/** Routes of user, team, storage usage, and token revocation. */
export function accountRoutes(people: People, oauth: OAuth, state: UploadState): Record<string, Handler> {
  return {
    'POST /2/users/get_current_account': (request) => {
      const { person } = people.viewOf(request);
      return {
        json: {
          account_id: person.account.id,
          name: nameOf(person),
          email: person.account.email,
          email_verified: true,
          disabled: false,
          locale: 'en',
          referral_link: 'https://www.dropbox.com/referrals/example',
          is_paired: false,
          account_type: { '.tag': person.member ? 'business' : 'basic' },
          root_info: people.rootInfo(person),
          ...(person.member && { team_member_id: person.member.id }),
        },
      };
    },
    'POST /2/users/get_space_usage': (request) => {
      const { person, tree } = people.viewOf(request);
      const used = sizeOf(tree.find(person.home));
      if (!person.member) return { json: { used, allocation: { '.tag': 'individual', allocated: state.quota } } };
      const allocation = {
        '.tag': 'team',
        used: sizeOf(tree.root),
        allocated: state.quota,
        user_within_team_space_allocated: 0,
        user_within_team_space_limit_type: { '.tag': 'off' },
        user_within_team_space_used_cached: used,
      };
      return { json: { used, allocation } };
    },
    'POST /2/auth/token/revoke': (request) => {
      people.viewOf(request);
      oauth.revokeToken(request.token);
      return { json: null };
    },
    'POST /2/team/get_info': () => {
      const members = people.all.filter(({ member }) => member);
      const counts = { num_licensed_users: 5, num_provisioned_users: members.length };
      return { json: { name: people.team.name, team_id: people.team.id, ...counts, policies: {} } };
    },
    'POST /2/team/token/get_authenticated_admin': (request) => {
      const admin = people.all.find(({ account, member }) => account.id === request.account.id && member?.isAdmin);
      if (!admin?.member) return refusal({ kind: 'unauthorized', reason: 'invalid' });
      return {
        json: {
          admin_profile: {
            team_member_id: admin.member.id,
            account_id: admin.account.id,
            email: admin.account.email,
            email_verified: true,
            status: { '.tag': 'active' },
            name: nameOf(admin),
            membership_type: { '.tag': 'full' },
            groups: [],
            member_folder_id: admin.homeNamespace,
            root_folder_id: '2000',
          },
        },
      };
    },
  };
}
