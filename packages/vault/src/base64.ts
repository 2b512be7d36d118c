/** Converts bytes to base64 and hexadecimal text. Our own, because the built-in methods are too new for some supported browsers. */
export const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Throws for text that is not base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

export const toBase64Url = (bytes: Uint8Array): string => toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> => fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));

export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
