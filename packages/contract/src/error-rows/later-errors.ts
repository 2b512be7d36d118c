import type { ErrorRow } from './error-row.ts';

/** Errors with codes from 800 on. */
export const laterErrors = {
  MIRROR_KEEPS_NOTHING: {
    code: 810,
    status: 422,
    text: '{provider} keeps neither versions nor deleted files, so what a mirror replaces or deletes there would be lost. Please keep it in dated folders.',
  },
  HTTPS_NEEDED: { code: 851, status: 403, text: 'Programs sign in over https only, so that nobody on the way can read the password.' },
  DEVICE_CODE_UNKNOWN: {
    code: 853,
    status: 404,
    text: 'Nothing waits for this code. It may have expired, or belong to another account. Please start again in the program.',
  },
  PASSWORDS_OFF: { code: 856, status: 403, text: 'Nobody signs in with a password here. Please sign in with one of the other ways.' },
  FILE_CHANGED: { code: 840, status: 412, text: '"{name}" was changed by somebody else since you opened it.' },
  TOO_MANY_PINS: { code: 841, status: 409, text: 'At most {most} items can be pinned. Please take one away first.' },
  TOO_MANY_TRANSFERS: {
    code: 855,
    status: 409,
    text: 'An account has at most {most} transfers that have not ended. Please wait for some of them, or cancel some.',
  },
  TOO_MANY_SCHEDULES: { code: 852, status: 409, text: 'An account has at most {most} schedules. Please delete one first.' },
  TOO_MANY_APP_PASSWORDS: { code: 850, status: 409, text: 'An account has at most {count} app passwords. Please revoke one first.' },
  SSH_KEY_PRIVATE: {
    code: 861,
    status: 422,
    text: 'This is a private key, which must stay on your device. It was not stored. Please paste the public key, from the file that ends in .pub.',
  },
  SSH_KEY_UNREADABLE: {
    code: 862,
    status: 422,
    text: 'This is no public SSH key. Please paste the one line of a file that ends in .pub, such as ~/.ssh/id_ed25519.pub.',
  },
  SSH_KEY_KIND: { code: 863, status: 422, text: 'Keys of the kind {kind} cannot sign in here. Please use an Ed25519 or RSA key.' },
  SSH_KEY_SIZE: {
    code: 864,
    status: 422,
    text: 'RSA keys need between {least} and {most} bits, and this one has {bits}. Please use another key, such as one of ssh-keygen -t ed25519.',
  },
  WEBLINK_USED_UP: { code: 895, status: 410, text: 'This link has been used as often as its owner allows.' },
  WEBLINK_VIEW_ONLY: { code: 896, status: 403, text: 'The owner lets visitors look at this, but not download it.' },
  WEBLINK_UPLOAD_ONLY: { code: 897, status: 403, text: 'Files can be uploaded here. What is in the folder is not shown.' },
  WEBLINK_NO_UPLOADS: { code: 898, status: 403, text: 'This link takes no uploads.' },
  AGENT_REFUSED: {
    code: 892,
    status: 400,
    text: 'The program that sent you here made a mistake, so Sheaf let it in nowhere: {problem}.',
  },
  AGENT_PLAN_DECIDED: { code: 893, status: 409, text: 'This plan has been decided already, or has expired.' },
  TOO_MANY_TOKENS: { code: 877, status: 409, text: 'An organisation has at most {count} directory tokens. Please revoke one first.' },
  TOO_MANY_AGENTS: { code: 894, status: 409, text: 'An account has at most {count} agents. Please revoke one first.' },
  NO_COMMON_HASH: {
    code: 890,
    status: 409,
    text: 'These storages report no hash that could be compared. The files have to be read to compare them.',
  },
  COMPARISON_TOO_LARGE: { code: 891, status: 413, text: 'These files are too large to compare. At most {gibibytes} GiB are read at once.' },
  CRAWL_OFF: {
    code: 825,
    status: 409,
    text: 'Whoever runs this installation has switched off that Sheaf looks into folders by itself.',
  },
  TOO_MANY_STREAMS: { code: 820, status: 429, text: 'Too many windows are open. Please close some of them.' },
  VAULT_NOT_FOUND: { code: 880, status: 404, text: 'This vault could not be found. It may have been removed from the list.' },
  VAULT_EXISTS: { code: 881, status: 409, text: 'This folder is a vault already.' },
  VAULT_NEEDS_PREMIUM: { code: 882, status: 403, text: 'Making a vault belongs to Premium. The vaults that you have stay open to you.' },
  VAULT_PASSKEY_GONE: { code: 887, status: 404, text: 'This passkey is no longer one of the vault.' },
  VAULT_PASSKEYS_FULL: { code: 888, status: 409, text: 'A vault has at most {most} passkeys. Please remove one first.' },
  VAULT_NOT_YOURS: { code: 883, status: 403, text: 'A vault can only be made on a link of your own.' },
} as const satisfies Record<string, ErrorRow>;
