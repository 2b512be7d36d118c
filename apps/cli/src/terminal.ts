import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Failure } from './failure.ts';

export interface Terminal {
  /** Prints a line of output. */
  print(text: string): void;
  /** Prints a line of information on standard error. */
  tell(text: string): void;
  /** Prompts for a secret without echo; without a terminal, reads the first line of standard input. */
  askSecret(question: string): Promise<string>;
  /** Opens an address in the user's browser if there is one; whether it worked is unknown. */
  openBrowser(address: string): void;
}

export const terminal: Terminal = {
  print: (text) => void process.stdout.write(`${text}\n`),
  tell: (text) => void process.stderr.write(`${text}\n`),
  async askSecret(question) {
    if (!process.stdin.isTTY) return firstLine();
    process.stderr.write(question);
    return hiddenLine();
  },
  openBrowser(address) {
    const { platform } = process;
    // Started without a shell, in which & would end the command.
    const [program, ...args] =
      platform === 'darwin'
        ? ['open', address]
        : platform === 'win32'
          ? ['rundll32', 'url.dll,FileProtocolHandler', address]
          : ['xdg-open', address];
    const child = spawn(program ?? '', args, { stdio: 'ignore', detached: true });
    // Failure is harmless: the address is also printed.
    child.on('error', () => undefined);
    child.unref();
  },
};

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line.trim();
  }
  throw new Failure('Nothing came on standard input.', 'usage');
}

/** Reads a line of the terminal in raw mode, which does not echo. */
function hiddenLine(): Promise<string> {
  const { stdin } = process;
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (): void => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      process.stderr.write('\n');
    };
    const take = (chunk: Buffer): void => {
      for (const key of chunk.toString()) {
        if (key === '\r' || key === '\n') {
          end();
          resolve(typed.trim());
          return;
        }
        if (key === '\u0003') {
          end();
          reject(new Failure('Nothing was changed.', 'interrupted'));
          return;
        }
        typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key;
      }
    };
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('data', take);
  });
}
