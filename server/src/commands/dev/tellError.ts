/** Writes an error for the author of a plugin: with its stack, and with the place of a mistake in the code's syntax. */
import { once } from 'node:events';
import { startChild } from '@platen/core';
import { pathToFileURL } from 'node:url';
import { printableLines } from '../../machine/printable.js';

const write = (text: string): void => void process.stderr.write(`${printableLines(text.trimEnd())}\n`);

/** @param file what was imported */
export async function tellError(error: unknown, file: string): Promise<void> {
  const { stack } = (error ?? {}) as { stack?: unknown };
  const text = typeof stack === 'string' ? stack : String(error);
  // Node tells the line of such a mistake only when nothing catches it.
  if (error instanceof SyntaxError && !/file:\/\//.test(text)) {
    const place = await uncaught(file);
    if (place !== undefined) return write(place);
  }
  write(text);
  const { cause } = (error ?? {}) as { cause?: unknown };
  if (cause instanceof Error && !text.includes(String(cause.stack))) write(`Caused by: ${String(cause.stack)}`);
}

/** What Node says when it imports the file in a process of its own; undefined if it can import it. */
async function uncaught(file: string): Promise<string | undefined> {
  const child = startChild({
    command: process.execPath,
    args: [
      '--enable-source-maps',
      '--input-type=module',
      '--eval',
      `await import(${JSON.stringify(pathToFileURL(file).href)});process.exit()`,
    ],
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.process?.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  if (child.process?.stderr) await once(child.process.stderr, 'close');
  const { code } = await child.ended;
  return code === 0 || said.trim() === '' ? undefined : said.replace(/\n+Node\.js v\S+\s*$/, '');
}
