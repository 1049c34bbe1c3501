/** A note of a scan, as sent to clients that ask for it. */
import type { ScanNote } from '@platen/core';
import type { ForPages } from '../http/answers/forPages.js';
import type { Note } from './schemas.js';

export function noteBody({ code, text, field, says }: ScanNote, forPages: ForPages): Note {
  return {
    code,
    text: forPages(text),
    ...(field === undefined ? {} : { field }),
    ...(says === undefined ? {} : { says: forPages(says) }),
  };
}
