/** The page of error codes matches the code. */
import { readFile } from 'node:fs/promises';
import { driverCodes, endReasons, noteCodes, serviceCodes, type ErrorCode } from '@platen/core';
import t from 'tap';
import { httpCodes, scanStatusOf, statusOf, type HttpCode } from './errors.js';

const page = await readFile(new URL('../../../../core/ERRORS.md', import.meta.url), 'utf8');

/** Rows of the table under a heading, as cells. */
function rowsUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find(each => each.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\| `.*$/gm)].map(([line]) =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
}

function codesUnder(heading: string): string[] {
  return rowsUnder(heading).map(([code = '']) => code.replaceAll('`', ''));
}

t.test('errors page: one row per code, and no others', async t => {
  t.strictSame(codesUnder('From a driver'), [...driverCodes]);
  t.strictSame(codesUnder('From the service').sort(), [...serviceCodes].sort());
  t.strictSame(codesUnder('From HTTP').sort(), [...httpCodes].sort());
  t.strictSame(codesUnder('Notes'), [...noteCodes]);
  t.strictSame(codesUnder('Ends of auto-scan'), [...endReasons]);
});

t.test("errors page: each row has the service's status", async t => {
  for (const [code = '', , http, status] of [...rowsUnder('From a driver'), ...rowsUnder('From the service')]) {
    const plain = code.replaceAll('`', '') as ErrorCode;
    t.equal(http, String(statusOf(plain)), `${plain}: HTTP`);
    t.equal(status, scanStatusOf(plain), `${plain}: status`);
  }
  for (const [code = '', , http] of rowsUnder('From HTTP')) {
    const plain = code.replaceAll('`', '') as HttpCode;
    t.equal(http, String(statusOf(plain)), `${plain}: HTTP`);
  }
});
