import { ConnectorError } from '../../core/error.ts';

/** Characters that Oracle does not allow in names; control characters would not survive the form. */
const unfit = /[\\/:*?"<>|]|\p{Cc}/u;

/** Throws `badName` for a name that Oracle would refuse. */
export function checkName(name: string): void {
  if (name === '' || unfit.test(name) || !name.isWellFormed()) throw new ConnectorError('badName', 'Oracle takes no such name');
}
