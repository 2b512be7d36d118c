interface Place {
  readonly host: string;
  readonly port: number;
  /** Default port, which is not shown. */
  readonly usualPort: number;
  /** The start folder; an empty one and `/` are not shown. */
  readonly path: string;
}

/**
 * Returns the account name in My links, such as `mara@nas.example:2222/films`. Two links of one account have different names if they lead
 * to different places.
 */
export function accountName(username: string, { host, port, usualPort, path }: Place): string {
  const server = host.includes(':') ? `[${host}]` : host;
  const start = path.replace(/\/+$/, '');
  const where = start === '' || start.startsWith('/') ? start : `/${start}`;
  return `${username}@${server}${port === usualPort ? '' : `:${port}`}${where}`;
}
