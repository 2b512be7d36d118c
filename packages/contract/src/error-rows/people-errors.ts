import type { ErrorRow } from './error-row.ts';

/** Errors of admission and of operators' actions. */
export const peopleErrors = {
  EMAIL_UNPROVEN: {
    code: 854,
    status: 403,
    text: 'Please confirm your e-mail address first. Your profile can send the message with the link to {email} again.',
  },
  SIGNUP_CLOSED: { code: 865, status: 403, text: 'New accounts cannot be created here at the moment.' },
  SIGNUP_INVITED: {
    code: 866,
    status: 403,
    text: 'New accounts are by invitation here. Please open the link in your invitation, or ask whoever runs this Sheaf for one.',
  },
  SIGNUP_DOMAIN: { code: 867, status: 403, text: 'Without an invitation, new accounts are only for addresses of {domains}.' },
  SETUP_CODE_WRONG: { code: 868, status: 422, text: 'This is not the code that Sheaf printed when it started.' },
  SETUP_FIRST: {
    code: 869,
    status: 403,
    text: 'Whoever runs this Sheaf creates the first account, with the code that Sheaf printed when it started.',
  },
  OPERATOR_SELF: { code: 870, status: 409, text: 'Operators cannot do this to their own account.' },
  PERSON_GONE: { code: 871, status: 404, text: 'This account no longer exists.' },
  PERSON_OWNS_ORGANISATIONS: {
    code: 872,
    status: 409,
    text: 'This account owns {organisations}. Somebody has to take that over first, or it has to be closed.',
  },
  MAIL_FAILED: { code: 874, status: 502, text: 'The letter could not be sent: {answer}.' },
  TOO_MANY_LINKS: {
    code: 875,
    status: 409,
    text: 'Whoever runs this Sheaf has limited the links of this account to {most}. Please remove one first, or ask them for more.',
  },
  TOO_MANY_SHARES: {
    code: 876,
    status: 409,
    text: 'Whoever runs this Sheaf has limited your shared links to {most}, ended ones included. Please delete one first, or ask them for more.',
  },
  ACCOUNT_DISABLED: { code: 873, status: 403, text: 'This account is disabled.' },
} as const satisfies Record<string, ErrorRow>;
