import type { ParseArgsConfig } from 'node:util';
import type { Client } from './client.ts';
import { Failure } from './failure.ts';
import type { Http } from './http.ts';
import type { Account, Settings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Context of every command. */
export interface Context {
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly http: Http;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** The signed-in user's calls; throws Failure when nobody is signed in. */
  client(): Promise<Client>;
  account(): Promise<Account>;
}

export type Options = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  /** The arguments after the command's name, for the help. */
  readonly usage: string;
  readonly about: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  run(context: Context, args: readonly string[], options: Options): Promise<void>;
}

/** Returns exactly these arguments; otherwise throws Failure with the command's usage. */
export function exactly<const Names extends readonly string[]>(args: readonly string[], ...names: Names): { [At in keyof Names]: string } {
  if (args.length !== names.length) throw new Failure(`This takes ${names.length === 0 ? 'nothing' : names.join(' and ')}.`, 'usage');
  return args as unknown as { [At in keyof Names]: string };
}

/** The value of an option, if given. */
export const textOption = (options: Options, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};
