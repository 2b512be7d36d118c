/** What is known beforehand of the installation whose states are kept here. */

/** Seals the secrets of links. */
export const secretKey = Buffer.from('the key of states kept for tests').toString('base64');
export const password = 'correct horse battery';
export const people = { mara: 'mara@example.org', eve: 'eve@example.org', noor: 'noor@example.org', olga: 'olga@example.org' } as const;
export const sharePassword = 'open sesame';
/** Secret of a link that no server answers for. */
export const s3Secret = 's3-secret';

/** Files that a transfer carries from `/origin` to `/target` of one storage, when the program is killed in the middle of it. */
export const carried = ['one.txt', 'two.txt', 'three.txt', 'four.txt'] as const;
/** Content of each file of the storage: the first one carried is short, and so arrives before the others. */
export const contentOf = (path: string): string => path.repeat(path.endsWith('one.txt') ? 1 : 20_000);
export const otherFiles = ['/report.txt', '/holiday.txt', '/trash.txt', '/team/plan.txt'] as const;
