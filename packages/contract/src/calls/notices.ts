import { Type } from 'typebox';
import { call } from '../call.ts';

const optional = Type.Optional;

/** Automatic mails that the account receives. */
const Notices = Type.Object({
  /** When a link has needed attention for an hour. */
  links: Type.Boolean(),
});
export const getNotices = call({
  method: 'GET',
  path: '/rest/account/notices',
  input: Type.Object({}),
  reply: Notices,
  summary: 'Which mails about its links the account gets.',
});
export const setNotices = call({
  method: 'POST',
  path: '/rest/account/set_notices',
  rTag: 'required',
  input: Type.Object({ links: Type.Boolean(), rTag: optional(Type.String()) }),
  reply: Notices,
  summary: 'Turns mails about links on or off.',
});
