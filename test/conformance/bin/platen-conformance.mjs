#!/usr/bin/env node
/** Starts the program, and ends it by force: a driver under test may have left something open. */
import { main } from '../dist/score/main.js';

const { stdout, stderr } = process;
const code = await main(process.argv.slice(2), {
  out: text => void stdout.write(`${text}\n`),
  err: text => void stderr.write(`${text}\n`),
  cwd: process.cwd(),
});
// What was written before is written when an empty text is.
for (const stream of [stdout, stderr]) await new Promise(resolve => stream.write('', resolve));
process.exit(code);
