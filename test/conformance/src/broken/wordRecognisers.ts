/** Recognisers of text that break a promise about words each; by the case that must fail, several ways to break it. */
import type { RawPage, ReadText, Word } from '@platen/core/plugin';
import { fakeRecogniser, fakeText, fakeWords } from '../fakeRecogniser.js';
import type { RecogniserRig } from '../recogniserCases.js';
import { testPage } from '../testPages.js';

const ofWords = (change: (words: readonly Word[], page: RawPage) => readonly Word[]) => (): RecogniserRig => {
  const reads = (page: RawPage): ReadText => {
    const { text, words } = fakeWords(fakeText, page);
    return { text, words: change(words, page) };
  };
  return { recogniser: fakeRecogniser('ocr', { reads }), page: testPage, holds: fakeText };
};

export const brokenWords: Readonly<Record<string, readonly (() => RecogniserRig)[]>> = {
  'word-facts': [
    ofWords(words => words.toReversed()),
    ofWords(words => words.slice(1)),
    ofWords(words => words.map(each => ({ ...each, text: ` ${each.text}` }))),
    ofWords(words => words.map(each => ({ ...each, confidence: 90 }))),
    ofWords((words, { width }) => words.map(each => ({ ...each, x: each.x + width / 4 }))),
    ofWords(words => words.map(each => ({ ...each, y: each.y - 1 }))),
    ofWords(words => words.map(each => ({ ...each, height: 0 }))),
    ofWords(words => words.map(each => ({ ...each, line: -each.line }))),
  ],
  'blank-page-words': [
    () => {
      const sound = fakeRecogniser('ocr', { reads: page => fakeWords(fakeText, page) });
      const read: typeof sound.read = async (page, ...rest) => {
        const found = (await sound.read(page, ...rest)) as ReadText;
        return found.text === '' ? { text: '', words: fakeWords(fakeText, page).words } : found;
      };
      return { recogniser: { ...sound, read }, page: testPage, holds: fakeText };
    },
  ],
};
