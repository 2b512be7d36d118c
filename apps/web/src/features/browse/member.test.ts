import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkRow } from '@sheaf/contract';
import { memberByLink, memberOf } from './member.ts';

const link = (name: string, browseUrl: string, isOrganization = true): LinkRow => ({
  userLinkId: name,
  name,
  disambiguatedName: name,
  sourceAccountName: isOrganization ? 'Org' : 'mara',
  provider: 'SFTP',
  thumbnailUrl: '',
  menuIconUrl: '',
  isOrganization,
  linkUri: `/${name}`,
  browseUrl,
  state: 'ok',
});
const groups = (...links: LinkRow[]) => [{ sourceType: 'Org', source_type: 'Org', title: 'Organisation', links }];

test('the membership is part of the address of an organisation’s link', () => {
  assert.equal(memberOf(link('NAS', '/browseorg/NAS?orgMembershipOid=m%201')), 'm 1');
  assert.equal(memberOf(link('NAS', '/browse/NAS', false)), undefined);
});

test("without a membership in the address it is found by the link’s name, never by one of the user's own links [RT-060]", () => {
  const own = link('NAS', '/browse/NAS', false);
  assert.equal(memberByLink(groups(own, link('NAS', '/browseorg/NAS?orgMembershipOid=m1')), 'NAS'), 'm1');
  assert.equal(memberByLink(groups(own), 'NAS'), undefined);
});
