import { createKeyedLimiter } from '@sheaf/connectors';
import { type Uploader, keyOf, networkKeyOf } from './uploader.ts';

interface Most {
  /** Of one account, or of all visitors of one share. */
  readonly ofUploader: number;
  /** Of the visitors of one share from one network. */
  readonly ofNetwork: number;
}

/**
 * Runs so much work of one uploader at a time; more waits. What one network's visitors of a share do beyond their part waits before it takes a place of
 * the share, so that those of other networks find one.
 */
export function createTurns({ ofUploader, ofNetwork }: Most) {
  const uploaders = createKeyedLimiter(ofUploader);
  const networks = createKeyedLimiter(ofNetwork);
  return <T>(by: Uploader, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const inTurn = (): Promise<T> => uploaders.run(keyOf(by), signal, work);
    const network = networkKeyOf(by);
    return network === undefined ? inTurn() : networks.run(network, signal, inTurn);
  };
}
