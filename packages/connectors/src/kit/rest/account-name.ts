interface Place {
  readonly host: string;
  readonly port: number;
  /** Default port, which is not shown. */
  readonly usualPort: number;
  /** The start folder; '' and `/` are not shown. */
  readonly path: string;
}

/** Account name in My links, `mara@nas.example:2222/films`: two links of one account differ in it if they lead to different places. */
export function accountName(username: string, { host, port, usualPort, path }: Place): string {
  const server = host.includes(':') ? `[${host}]` : host;
  const start = path.replace(/\/+$/, '');
  const where = start === '' || start.startsWith('/') ? start : `/${start}`;
  return `${username}@${server}${port === usualPort ? '' : `:${port}`}${where}`;
}
