import type { ErrorRow } from './error-row.ts';

/** Rows of the error table about who may come in, and about what operators do. */
export const peopleErrors = {
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
} as const satisfies Record<string, ErrorRow>;
