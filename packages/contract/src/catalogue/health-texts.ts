/** Possible problems of an installation and their remedies, for the page and for `npm run admin -- doctor`. */
export const healthTexts = {
  diskLow: 'The disk with the data folder is almost full. Free some space, or move the folder: without space nothing can be stored.',
  dataFolderReadOnly: 'The data folder cannot be written to. Give it to the user that runs Sheaf.',
  dataFolderOpen: 'Other users of this machine can read the data folder, in which the key may lie. Give it to the user that runs Sheaf.',
  fileLimitLow:
    'The process may open few files. Each event stream, download and transfer takes some: raise the limit (LimitNOFILE in systemd, ulimit -n) to 4096 or more.',
  databaseSilent: 'The database does not answer. Look whether it runs, and whether SHEAF_DATABASE_URL names it.',
  databaseSlow: 'The database answers slowly. Look at the load of its machine, and at the disk or network between the two.',
  mailOnDisk: 'Mails are only written to the data folder: set SHEAF_SMTP_URL, or nobody can confirm an address or reset a password.',
  mailUnreachable: 'The mail server does not take mails from here. Look at SHEAF_SMTP_URL, and whether a firewall keeps its port closed.',
  plainHttp:
    'The public address is plain http, so that passwords can be read on the way. Put a proxy with https in front, and set SHEAF_PUBLIC_URL.',
  publicUnreachable:
    'Sheaf does not reach itself at SHEAF_PUBLIC_URL. Look at the name in the DNS, at the proxy, and at the firewall; a machine behind a router may need an entry in its hosts file.',
  publicOther: 'Something else than this Sheaf answers at SHEAF_PUBLIC_URL. Look where the name and the proxy lead.',
  publicCertificate: 'The certificate of SHEAF_PUBLIC_URL is not one that browsers accept. Renew it, and give the proxy the whole chain.',
  certificateEnds: 'The certificate of SHEAF_PUBLIC_URL ends soon. Look why the proxy does not renew it.',
  proxyHost: 'The proxy does not pass on the name that browsers use. In nginx: proxy_set_header Host $host;',
  proxyAddress:
    "The proxy does not pass on the visitors' addresses, so that all of them look like one. In nginx: proxy_set_header X-Forwarded-For $remote_addr;",
  proxyUntrusted:
    'Sheaf does not believe the proxy whose requests come, so that all visitors look like one. Add its address to SHEAF_TRUSTED_PROXIES.',
  proxyForged:
    'The proxy passes on addresses that visitors invent, with which they get around limits. It must replace X-Forwarded-For. In nginx: proxy_set_header X-Forwarded-For $remote_addr;',
  proxyBodyLimit: 'The proxy refuses large uploads. In nginx: client_max_body_size 0;',
  proxyBuffersUploads:
    'The proxy keeps uploads until they are whole, so that they take twice as long and fill its disk. In nginx: proxy_request_buffering off;',
  proxyBuffersAnswers: 'The proxy keeps answers back, so that changes appear late. In nginx: proxy_buffering off;',
  outgoingBlocked: 'Providers that are set up cannot be reached. Look at the firewall, the DNS, and whether a proxy is needed.',
  clockWrong: 'The clock of this machine is wrong. Set it by NTP: sign-ins at providers and second factors depend on it.',
  jobsFail: 'Background jobs fail.',
  noBackup: 'No backup has been made for two days.',
  backupOld: 'The newest backup is older than two days.',
} as const;
export type HealthProblem = keyof typeof healthTexts;
