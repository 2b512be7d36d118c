/** Numbers of SFTP version 3, shared by client and server: https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02 */
export const sftpNumbers = {
  /** Types of packets, section 3. */
  packet: {
    init: 1,
    version: 2,
    open: 3,
    close: 4,
    read: 5,
    write: 6,
    lstat: 7,
    fstat: 8,
    setstat: 9,
    fsetstat: 10,
    opendir: 11,
    readdir: 12,
    remove: 13,
    mkdir: 14,
    rmdir: 15,
    realpath: 16,
    stat: 17,
    rename: 18,
    readlink: 19,
    symlink: 20,
    status: 101,
    handle: 102,
    data: 103,
    name: 104,
    attrs: 105,
    extended: 200,
    extendedReply: 201,
  },
  /** Status codes, section 7. */
  status: {
    ok: 0,
    eof: 1,
    noSuchFile: 2,
    permissionDenied: 3,
    failure: 4,
    badMessage: 5,
    noConnection: 6,
    connectionLost: 7,
    unsupported: 8,
  },
  /** Flags of OPEN, section 6.3. */
  openFlag: { read: 0x01, write: 0x02, append: 0x04, create: 0x08, truncate: 0x10, exclusive: 0x20 },
  /** Flags that say which attributes follow, section 5. */
  attrFlag: { size: 0x01, owner: 0x02, permissions: 0x04, times: 0x08, extended: 0x8000_0000 },
} as const;
