import { createWeblink, shareExpirations } from '@sheaf/contract';
import { type Command, exactly, textOption } from '#/command.ts';
import { Failure } from '#/failure.ts';
import { find } from '#/remote-paths.ts';

const choices = { never: 'NEVER EXPIRES', '24h': '24 HOURS', '7d': '7 DAYS', '1m': '1 MONTH' } as const;

export const share: Command = {
  usage: '[--expires never|24h|7d|1m] [--password] PATH',
  about: 'Shares a file or a folder by a public link and prints its address. --password asks for one (or reads standard input).',
  options: { expires: { type: 'string' }, password: { type: 'boolean' } },
  async run({ client, terminal, signal }, args, options) {
    const [path] = exactly(args, 'PATH');
    const wanted = textOption(options, 'expires') ?? 'never';
    const label = Object.entries(choices).find(([name]) => name === wanted)?.[1];
    const seconds = shareExpirations.find((one) => one.label === label)?.seconds;
    if (seconds === undefined) throw new Failure(`--expires is one of ${Object.keys(choices).join(', ')}.`, 'usage');
    const server = await client();
    const { linkUri } = await find(server, path, signal);
    const password = options['password'] === true ? { password: await terminal.askSecret('Password of the link: ') } : {};
    const { sharelinkurl } = await server.ask(createWeblink, { linkUri, expirationSeconds: seconds, ...password }, signal);
    terminal.print(sharelinkurl);
  },
};
