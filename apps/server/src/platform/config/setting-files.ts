import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that may hold a secret come from files in many installations (Docker's and systemd's secrets): `SHEAF_X_FILE` names the file with SHEAF_X. */
const pattern = /^(SHEAF_(?!TEST_)\w+)_FILE$/;

/** Replaces each `SHEAF_X_FILE` by a `SHEAF_X` with the file's content; `complain` gets a line for each that cannot be used. */
export function withFiles(
  environment: Environment,
  complain: (problem: string) => void,
): { readonly environment: Environment; readonly files: ReadonlySet<string> } {
  const read: Record<string, string | undefined> = {};
  const files = new Set<string>();
  for (const [given, path = ''] of Object.entries(environment)) {
    const name = pattern.exec(given)?.[1];
    if (name === undefined || path === '') {
      if (read[given] === undefined) read[given] = path;
      continue;
    }
    if ((environment[name] ?? '') !== '') complain(`${given} must not be set together with ${name}`);
    try {
      // Editors end a file with a line break, which is not a part of the value.
      read[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      files.add(name);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason';
      complain(`${given} must name a file that Sheaf can read (${code})`);
    }
  }
  return { environment: read, files };
}
