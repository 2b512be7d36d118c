/** What each kind of background job does, in words for operators. */
export const jobTitles = {
  'accounts.close': 'Delete accounts whose days are over',
  'backup.daily': 'Make the nightly backup',
  'backup.upload': 'Copy a backup to the linked folder',
  'billing.settle': 'Settle purchases and subscriptions',
  'bins.empty': 'Empty the old part of a bin',
  'bins.find': 'Look for bins to empty',
  'knowledge.feed': 'Ask a storage for its changes',
  'knowledge.find': 'Look for links to read',
  'knowledge.link': 'Read the folders of a link for the search',
  'leftovers.clear': 'Remove remains of broken uploads and moves',
  'leftovers.find': 'Look for remains of broken uploads and moves',
  'mail.send': 'Send a mail',
  'notices.send': 'Tell owners of links that do not work',
  'schedules.run': 'Start transfers that are due',
  'search.index': 'Build the index of the search',
  'secrets.reseal': 'Seal secrets with the newest key',
  'sweep.agents': 'Remove agents that nobody has let in',
  'sweep.authCodes': 'Remove authentication codes that have ended',
  'sweep.authorizations': 'Remove unfinished authorizations of links',
  'sweep.devices': 'Forget devices that were not seen for long',
  'sweep.handoffs': 'Remove hand-offs to programs that have ended',
  'sweep.jobs': 'Remove jobs that ended long ago',
  'sweep.listings': 'Remove the listings of removed links',
  'sweep.mailTokens': 'Remove addresses of mails that have ended',
  'sweep.nameClaims': 'Free names of uploads that broke off',
  'sweep.orgInvitations': 'Remove invitations to organisations that have ended',
  'sweep.passkeys': 'Remove unfinished sign-ins with passkeys',
  'sweep.programs': 'Remove what programs left unfinished',
  'sweep.sessions': 'Remove sessions that have ended',
  'sweep.signIn': 'Remove unfinished sign-ins at providers',
  'sweep.signUpInvitations': 'Remove invitations to sign up that have ended',
  'sweep.signingUp': 'Remove unfinished sign-ups',
  'sweep.spaces': 'Remove invitations to Spaces that have ended',
  'sweep.throttle': 'Forget old counts of attempts',
  'sweep.tickets': 'Remove tickets that have ended',
  'sweep.transfers': 'Remove transfers that ended long ago',
  'sweep.uploads': 'Remove uploads that were given up',
  'thumbnails.forget': 'Delete the thumbnails of a removed link',
  'thumbnails.tidy': 'Keep the thumbnails within their room',
  'transfers.abandon': 'Clean up after a cancelled transfer',
  'transfers.removeVersions': 'Remove replaced versions of files',
  'transfers.restore': 'Put back what a transfer had replaced',
  'transfers.run': 'Copy or move files',
  'transfers.undo': 'Undo a transfer',
} as const;

/** The title of a kind, of which a data folder may have its own (`kind@folder`); the kind itself when it is unknown, as one of a newer version. */
export function jobTitleOf(kind: string): string {
  const [plain = kind] = kind.split('@');
  const titles: Readonly<Record<string, string>> = jobTitles;
  return titles[plain] ?? plain;
}
