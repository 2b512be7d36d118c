import type { Item } from '@sheaf/contract';
import { errorText } from '#/lib/http/error-text.ts';
import { type Sent, sendFile } from '#/lib/sharing/share-sheet.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { downloadHref } from './download.ts';

/** Hands the file to the share sheet of the system, and says what stands in the way. */
export async function sendItem(item: Item): Promise<void> {
  let sent: Sent;
  try {
    sent = await sendFile(downloadHref(item), item.name);
  } catch (error) {
    notifyError(errorText(error));
    return;
  }
  if (sent === 'refused') notifyError(`This device does not share files such as ${item.name}`);
  else if (sent === 'pressAgain') notifyDone(`${item.name} is ready. Choose “Send to…” again.`);
}
