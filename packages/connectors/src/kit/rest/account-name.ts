interface Place {
  readonly host: string;
  readonly port: number;
  /** The port that goes without saying. */
  readonly usualPort: number;
  /** The start folder; '' and `/` go without saying. */
  readonly path: string;
}

/** What My links shows as a server's account, `mara@nas.example:2222/films`: two links of one account differ in it where they lead to different places. */
export function accountName(username: string, { host, port, usualPort, path }: Place): string {
  const server = host.includes(':') ? `[${host}]` : host;
  const start = path.replace(/\/+$/, '');
  const where = start === '' || start.startsWith('/') ? start : `/${start}`;
  return `${username}@${server}${port === usualPort ? '' : `:${port}`}${where}`;
}
