/** Whether a file is a whole PNG: its header, and as many rows of pixels as that names. PNG specification, 5 and 7. */
import { inflateSync } from 'node:zlib';
import { StepError } from '../../step.mjs';

const signature = '89504e470d0a1a0a';
/** Samples of a pixel, by colour type. */
const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * @param {Buffer} file
 * @param {string} what it is, for the error
 * @returns {{ width: number, height: number }} in pixels
 * @throws {StepError} if it is not whole
 */
export function sizeOfPng(file, what) {
  const torn = why => new StepError(`The image of ${what} is not a whole PNG: ${why}.`);
  if (file.toString('hex', 0, 8) !== signature) throw torn('it does not begin like one');
  const [width, height, depth, type] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24], file[25]];
  const parts = [];
  let ended = false;
  for (let at = 8; at + 12 <= file.length && !ended; at += 12 + file.readUInt32BE(at)) {
    const name = file.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
    ended = name === 'IEND';
  }
  if (!ended) throw torn('it has no end');
  let rows;
  try {
    rows = inflateSync(Buffer.concat(parts));
  } catch (error) {
    throw torn(error.message);
  }
  const wanted = height * (1 + Math.ceil((width * depth * channels[type]) / 8));
  if (rows.length !== wanted) throw torn(`${rows.length} bytes of pixels instead of ${wanted}`);
  return { width, height };
}
