import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import type { CertificateFiles } from '../certificates.ts';
import { freePort, run, startProcess, tempDir } from '../process.ts';

interface Options {
  /** An existing folder to export, kept when the server stops; by default a temporary one. */
  readonly root?: string;
  readonly tls?: CertificateFiles;
  readonly readOnly?: boolean;
  /** False: creates no connection JSON, which saves starting a second program. */
  readonly keys?: boolean;
}

export interface FileServer {
  readonly host: string;
  readonly port: number;
  /** `http://host:port`, or https with TLS. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** A valid connection JSON; '' without keys. */
  readonly connection: string;
  /** The exported folder. */
  readonly root: string;
  readonly pid: number;
  /** Revokes a connection JSON. */
  revoke(connection: string): Promise<void>;
  output(): string;
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, '../../../../apps/fileserver/src/main.ts');

/** Starts the Sheaf file server on a folder, with a user and, by default, a connection JSON. */
export async function startFileServer({ root, tls, readOnly = false, keys = true }: Options = {}): Promise<FileServer> {
  const dir = await tempDir('fileserver');
  const [exported, state, passwordFile] = [root ?? join(dir.path, 'export'), join(dir.path, 'keys.json'), join(dir.path, 'password')];
  const [user, password, port] = ['mara', 'pass wörd:"1"', await freePort()];
  await mkdir(exported, { recursive: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  const call = (...args: readonly string[]) => run(execPath, [program, '--state', state, ...args]);
  try {
    const connection = keys ? (await call('--make-connection')).trim() : '';
    const args = ['--root', exported, '--port', String(port), '--state', state, '--user', user, '--password-file', passwordFile];
    const server = await startProcess({
      command: execPath,
      args: [program, ...args, ...(readOnly ? ['--read-only'] : []), ...(tls ? ['--tls-cert', tls.certificate, '--tls-key', tls.key] : [])],
      ready: port,
    });
    return {
      host: '127.0.0.1',
      port,
      url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
      user,
      password,
      connection,
      root: exported,
      pid: server.pid,
      output: server.output,
      async revoke(json) {
        const { id } = JSON.parse(json) as { readonly id: string };
        await call('--revoke-connection', id);
      },
      async stop() {
        await server.stop();
        await dir.remove();
      },
    };
  } catch (error) {
    await dir.remove();
    throw error;
  }
}
