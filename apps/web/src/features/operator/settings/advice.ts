import type { SettingAdvice } from '@sheaf/contract';

/** What is wrong with a setting, and what to do. */
export const adviceTexts: Readonly<Record<SettingAdvice, string>> = {
  plainHttp: 'Plain http: passwords can be read on the way. Put a proxy with https in front, and name its address here.',
  noMail: 'Mails are only written to the data folder: nobody can confirm an address or reset a password.',
  presetSender: 'Mails are sent by an address that does not exist. Many mail servers refuse them.',
  keyInFolder: 'The key lies in the data folder of this instance. Further instances on this database need the same one: set it.',
  noProxies:
    'Sheaf is behind a proxy that it does not know, so that all visitors look like one. Attempts to sign in are then limited for all of them together.',
  noBackups: 'No backups are made, not even before an upgrade changes tables.',
  keyApart: 'Backups hold no key. Keep it apart, or set a passphrase: without the key nothing opens them.',
  openNetworks: 'Everybody with an account can reach the machines of your network. Name the networks that they may reach instead.',
  sandboxBilling: 'Purchases are only played: no money moves. Set recurly, or off to include everything.',
  quietLog: 'Hardly anything is logged. When something goes wrong, nothing tells why.',
  loudLog: 'Each request is logged, which costs time and room.',
};
