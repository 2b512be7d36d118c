import { createHmac, randomUUID } from 'node:crypto';
import type { Webhooks } from '../kit/index.ts';
import type { People, Person } from './people.ts';

/** The one address of an application, as its developer enters it at Dropbox: https://www.dropbox.com/developers/reference/webhooks */
export function createWebhook(people: People, secret: string, webhooks: Webhooks) {
  let address: string | undefined;

  function tell(person: Person): void {
    if (address === undefined) return;
    const { account, member } = person;
    const list_folder = member ? { teams: { [people.team.id]: [member.id] } } : { accounts: [account.id] };
    const body = JSON.stringify({ list_folder });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    webhooks.notify(address, { headers: { 'content-type': 'application/json', 'x-dropbox-signature': signature }, body });
  }

  for (const tree of new Set(people.all.map((person) => person.tree)))
    tree.onChange(() => {
      for (const person of people.all) if (person.tree === tree) tell(person);
    });

  return {
    /** Enters the address; false when it does not send the challenge back as plain text. */
    async enter(wanted: string): Promise<boolean> {
      const challenge = randomUUID();
      const { status, text } = await webhooks.send(`${wanted}?challenge=${challenge}`, { method: 'GET' });
      if (status !== 200 || text !== challenge) return false;
      address = wanted;
      return true;
    },
  };
}
