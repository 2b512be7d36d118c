/** What exactly was found: further sentences that some errors carry, by code. {placeholders} are details of the reason. */
export const reasonTable = {
  CERTIFICATE_ISSUER: 'It was issued by {issuer}.',
  CERTIFICATE_OTHER_NAMES: 'The certificate is for {names}, not for {host}.',
  HOST_UNKNOWN: 'There is no host named {host}.',
  IMPLICIT_TLS: 'It requires TLS from the first byte (implicit TLS, usually port 990). Sheaf uses explicit TLS, usually port 21.',
  PORT_CLOSED: '{host} is there, but nothing answers at port {port}.',
  SERVER_HTTP: 'It is a web server (HTTP).',
  SERVER_TLS: 'It expects an encrypted connection: begin the address with https://.',
  SERVER_NO_ANSWER: 'It did not answer within {seconds} seconds.',
  SERVER_SILENT: 'It accepted the connection but sent nothing; {protocol} servers send a greeting first.',

  REMOTE_AGENT: 'It signs in with an agent on your computer. Sheaf needs a password or a key.',
  REMOTE_AUTHORIZED: 'It must be linked by signing in at its provider.',
  REMOTE_IMPLICIT_TLS: 'It uses implicit TLS. Sheaf speaks FTP and FTP with explicit TLS.',
  REMOTE_IN_BUCKET: 'It begins inside a bucket. Sheaf links all buckets of a key.',
  REMOTE_IN_BUCKET_FOLDER: 'It begins in a folder of a bucket. Sheaf links whole buckets.',
  REMOTE_KEYS_MISSING: 'Its keys are not in the file.',
  REMOTE_KEY_FILE: 'Its key is a file on your computer: link it by hand and paste the key.',
  REMOTE_KEY_MISSING: 'Its key is not in the file.',
  REMOTE_NEEDS_ACCOUNT_KEY: 'Sheaf needs the key of the storage account.',
  REMOTE_NOT_THERE: 'There is no such remote in the file.',
  REMOTE_NTLM: 'It signs in with NTLM. Sheaf signs in by Basic or Digest.',
  REMOTE_PASSWORD_UNREADABLE: 'Its password is not in the form that rclone writes.',
  REMOTE_TARGET_MISSING: 'It leads to a remote that is not in the file.',
  REMOTE_TOKEN: 'It signs in with a token. Sheaf needs a user name and a password.',
  REMOTE_TYPE_MISSING: 'It says no type.',
  REMOTE_TYPE_UNKNOWN: 'Sheaf has no storage of the type "{type}".',
  REMOTE_WRAPPER: 'It wraps another remote: Sheaf links the storage itself.',
} as const satisfies Record<string, string>;

export type ReasonCode = keyof typeof reasonTable;
