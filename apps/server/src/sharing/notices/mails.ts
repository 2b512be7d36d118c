import { type MailContent, content } from '#/platform/mail/content.ts';

interface LinkTrouble {
  readonly name: string;
  /** The organisation that owns the links. */
  readonly org?: string;
  readonly links: readonly { readonly name: string; readonly attention: string }[];
  readonly page: string;
  readonly settings: string;
}

/** Mail about links that have not worked for an hour. */
export const linkTroubleMail = ({ name, org, links, page, settings }: LinkTrouble): MailContent => {
  const [first] = links;
  const whose = org === undefined ? '' : ` of ${org}`;
  return content({
    subject:
      links.length === 1 && first ? `The link ${first.name}${whose} needs attention` : `${links.length} links${whose} need attention`,
    greeting: name,
    lines: [
      links.length === 1
        ? `Sheaf has not reached this storage${whose} for an hour. Your files are unaffected.`
        : `Sheaf has not reached these storages${whose} for an hour. Your files are unaffected.`,
      ...links.map((link) => `${link.name}: ${link.attention === '' ? 'It does not answer.' : link.attention}`),
    ],
    action: { title: 'See your links', link: page },
    ending: `You get one message per link. To stop these messages, turn them off in your profile: ${settings}`,
  });
};

interface TrialEnd {
  readonly name: string;
  readonly product: string;
  /** The organisation with the trial. */
  readonly org?: string;
  readonly days: number;
  readonly price: string;
  readonly page: string;
}

/** Mail about the end of a trial. */
export const trialEndMail = ({ name, product, org, days, price, page }: TrialEnd): MailContent => {
  const whose = org === undefined ? 'Your' : `${org}'s`;
  const when = days <= 1 ? 'today' : `in ${days} days`;
  return content({
    subject: `${whose} free trial of ${product} ends ${when}`,
    greeting: name,
    lines: [
      `${whose} free trial of ${product} ends ${when}. Nothing is charged, and no file is lost; ${product} stops until you buy it.`,
      `${product} is ${price}.`,
    ],
    action: { title: `Buy ${product}`, link: page },
    ending: 'If you do nothing, the trial simply ends.',
  });
};
