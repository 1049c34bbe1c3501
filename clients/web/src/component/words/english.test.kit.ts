/** All words of English, loaded at once. */
import { en } from './en.js';
import { wordsOf } from './words.js';

export const english = wordsOf('en', en);
