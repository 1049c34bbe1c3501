/** A collected scan as one JSON answer. */
import { asSentence, messageOf } from '@platen/core';
import { noteBody } from '../shapes/note.js';
import { scanStatusOf } from '../http/errors.js';
import type { ForPages } from '../http/answers/forPages.js';
import type { Collected } from './collect.js';
import type { Piece } from './pieces.js';

/** The interface's Scan result. */
export function scanResult(
  { images, code, cause, notes, report }: Collected,
  elapsedMs: number,
  forPages: ForPages,
): Piece[] {
  const error = cause === undefined ? undefined : forPages(messageOf(cause));
  const head = {
    success: code === undefined,
    status: scanStatusOf(code),
    message: [
      error === undefined ? scanned(images.length) : asSentence(error),
      ...notes.map(({ text }) => forPages(text)),
    ].join(' '),
    ...(error === undefined ? {} : { error }),
    imageCount: images.length,
    elapsedMs: Math.round(elapsedMs),
    ...(report ? { notes: notes.map(note => noteBody(note, forPages)) } : {}),
  };
  const pieces: Piece[] = [`${JSON.stringify(head).slice(0, -1)},"images":[`];
  images.forEach(({ facts, bytes }, at) => {
    pieces.push(`${at ? ',' : ''}${JSON.stringify(facts).slice(0, -1)},"base64Data":"`, bytes, '"}');
  });
  pieces.push(']}');
  return pieces;
}

function scanned(count: number): string {
  return `Scanned ${count} ${count === 1 ? 'page' : 'pages'}.`;
}
