import { AppError } from '@sheaf/contract';
import type { Logger } from 'pino';
import type { AuthContext, PublicKeyAuthContext } from 'ssh2';
import { type PublicKey, isSignedWith, publicKeyOf } from '#/identity/app-passwords/public-keys.ts';
import type { AppPasswords, Program } from '#/identity/app-passwords/service.ts';

interface Deps {
  readonly appPasswords: Pick<AppPasswords, 'signIn' | 'signInWithKey' | 'countFailure'>;
  readonly address: string;
  /** Whether there is room for a connection of the account. */
  readonly admit: (accountId: string) => boolean;
  /** Ends the connection. */
  readonly end: () => void;
  readonly log: Logger;
}

/** Most requests of one connection: passwords, keys with a signature, and in total. An SSH agent offers each of its keys twice. */
const most = { passwords: 6, keys: 20, requests: 64 };
const methods: ('password' | 'publickey')[] = ['publickey', 'password'];

/** The key that is offered, if it is of a kind that may sign in. */
function offeredKey({ key, hashAlgo }: PublicKeyAuthContext): PublicKey | undefined {
  try {
    const offered = publicKeyOf(key.data);
    // A signature of an RSA key that names no hash is `ssh-rsa`, with SHA-1.
    return offered.kind === key.algo && (offered.kind === 'ssh-rsa') === (hashAlgo !== undefined) ? offered : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/**
 * Signs one connection in. Every key of a kind that may sign in is asked for its signature, and accounts are looked at only after a right one: nobody
 * learns from answers or their times whether somebody else's key signs in.
 */
export function createAuthentication({ appPasswords, address, admit, end, log }: Deps) {
  let program: Program | undefined;
  const tries = { passwords: 0, keys: 0, requests: 0 };
  let lastName = '';

  /** Counts a try of this kind; true when there were too many, and the connection is being ended. */
  function isOver(kind: keyof typeof tries): boolean {
    if (++tries[kind] <= most[kind]) return false;
    end();
    return true;
  }

  function decide(context: AuthContext, signingIn: Promise<Program>): void {
    signingIn.then(
      (found) => {
        if (program || !admit(found.accountId)) {
          context.reject(methods);
          return;
        }
        program = found;
        context.accept();
      },
      (error: unknown) => {
        if (!(error instanceof AppError)) log.error({ err: error }, 'signing in by SFTP failed');
        context.reject(methods);
      },
    );
  }

  function onKey(context: PublicKeyAuthContext): void {
    const { username, signature, blob: message, hashAlgo, key } = context;
    const offered = offeredKey(context);
    if (!offered) {
      context.reject(methods);
      return;
    }
    if (!signature || !message) {
      // The library has replaced the name of the algorithm, and some clients refuse an answer about another one than they offered.
      if (hashAlgo !== undefined) key.algo = hashAlgo === 'sha512' ? 'rsa-sha2-512' : 'rsa-sha2-256';
      context.accept();
      return;
    }
    if (isOver('keys')) return;
    lastName = username;
    if (isSignedWith(offered, { message, signature, hash: hashAlgo }))
      decide(context, appPasswords.signInWithKey(username, offered.line, { usedBy: 'SFTP' }));
    else context.reject(methods);
  }

  return {
    /** The program that has signed in. */
    program: (): Program | undefined => program,
    onRequest(context: AuthContext): void {
      if (isOver('requests')) return;
      if (context.method === 'publickey') onKey(context);
      else if (context.method !== 'password') context.reject(methods);
      else if (!isOver('passwords')) decide(context, appPasswords.signIn(context.username, context.password, { address, usedBy: 'SFTP' }));
    },
    /** Call when the connection has closed. Counts one failure, however many keys an agent has offered. */
    async left(): Promise<void> {
      if (!program && tries.keys > 0) await appPasswords.countFailure(lastName, address);
    },
  };
}
