import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** Twelve words with 128 random bits and a checksum (BIP 39). They are the password that rclone needs. */
export const newWords = (): string => generateMnemonic(wordlist, 128);

/** The words as they were shown, whatever blanks and capitals were typed. */
export const tidyWords = (text: string): string => text.normalize('NFKD').toLowerCase().trim().split(/\s+/).join(' ');

/** Whether the words are twelve of the list with the right checksum: most mistakes show before anything is derived. */
export const areWords = (text: string): boolean => validateMnemonic(text, wordlist);

/** Whether a word is one of the list. */
export const isWord = (word: string): boolean => wordlist.includes(word);
