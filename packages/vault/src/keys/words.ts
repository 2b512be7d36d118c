import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** Twelve words with 128 random bits and a checksum (BIP 39). They serve as the rclone password. */
export const newWords = (): string => generateMnemonic(wordlist, 128);

/** Normalises typed words: lower case, single spaces. */
export const tidyWords = (text: string): string => text.normalize('NFKD').toLowerCase().trim().split(/\s+/).join(' ');

/** Whether the words are twelve of the list with a valid checksum: finds most typing mistakes before the slow key derivation. */
export const areWords = (text: string): boolean => validateMnemonic(text, wordlist);

/** Whether a word is in the word list. */
export const isWord = (word: string): boolean => wordlist.includes(word);
