/** Printed by --version and sent to servers, which show it in their lists of clients. */
export const version = '0.1.0';
export const userAgent = `sheaf-cli/${version} (${process.platform})`;
