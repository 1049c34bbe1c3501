/** The page of error codes matches the code. */
import { readFile } from 'node:fs/promises';
import { driverCodes, endReasons, noteCodes, serviceCodes, type ErrorCode } from '@platen/core';
import type { DiagnosisCode, PlatenErrorCode } from '@platen/client';
import t from 'tap';
import { httpCodes, scanStatusOf, statusOf, type HttpCode } from './errors.js';

const page = await readFile(new URL('../../../../core/ERRORS.md', import.meta.url), 'utf8');

interface Entry {
  readonly code: string;
  readonly http?: string | undefined;
  readonly status?: string | undefined;
}

const sectionOf = (heading: string): string => page.split(/^## /m).find(each => each.startsWith(heading)) ?? '';

/** The codes with a heading of their own. */
function entriesUnder(heading: string): Entry[] {
  const [, ...parts] = sectionOf(heading).split(/^### /m);
  return parts.map(part => {
    const [, code = ''] = /^`(.+)`$/m.exec(part) ?? [];
    const [, http, status] = /^HTTP (\d+)(?:, `status` (\w+))?$/m.exec(part) ?? [];
    return { code, http, status };
  });
}

const codesUnder = (heading: string): string[] => entriesUnder(heading).map(({ code }) => code);

/** The codes in the first column of a table, which may be links. */
const rowsUnder = (heading: string): string[] =>
  [...sectionOf(heading).matchAll(/^\| \[?`(.+?)`/gm)].map(([, code = '']) => code);

/** The compiler knows that it has each: `PlatenErrorCode` is those of the service, and these. */
const ofAutoscan: Readonly<Record<Exclude<PlatenErrorCode, ErrorCode | HttpCode | ClientCode>, true>> = {
  failing: true,
  unread: true,
  'device-lost': true,
  'pages-lost': true,
  'consent-ended': true,
};
type ClientCode = 'no-answer' | 'unexpected-answer';
const ofClient: Readonly<Record<ClientCode | Exclude<DiagnosisCode, PlatenErrorCode>, true>> = {
  'no-answer': true,
  'unexpected-answer': true,
  'not-installed': true,
  'not-running': true,
  'certificate-not-trusted': true,
  'permission-not-asked': true,
  'permission-asked': true,
  'permission-denied': true,
  'frame-not-allowed': true,
  'insecure-page': true,
  'content-security-policy': true,
  'other-program': true,
  'not-responding': true,
  unhealthy: true,
  'no-scanner': true,
};
/** The client has each code of the service: otherwise this does not compile. */
export type Known = Extends<ErrorCode | HttpCode, PlatenErrorCode>;
type Extends<Code extends All, All> = Code;

t.test('errors page: one heading per code, and no others', async t => {
  t.strictSame(codesUnder('From a driver'), [...driverCodes]);
  t.strictSame(codesUnder('From the service').sort(), [...serviceCodes].sort());
  t.strictSame(codesUnder('From HTTP').sort(), [...httpCodes].sort());
  t.strictSame(codesUnder('From auto-scan'), Object.keys(ofAutoscan));
  t.strictSame(codesUnder('From the client module'), Object.keys(ofClient));
  t.strictSame(rowsUnder('Notes'), [...noteCodes]);
  t.strictSame(rowsUnder('Ends of auto-scan'), [...endReasons]);
  const all = page.match(/^### .*$/gm) ?? [];
  t.equal(new Set(all).size, all.length, 'a link leads to one of them');
});

t.test("errors page: each code has the service's status", async t => {
  for (const { code, http, status } of [...entriesUnder('From a driver'), ...entriesUnder('From the service')]) {
    t.equal(http, String(statusOf(code as ErrorCode)), `${code}: HTTP`);
    t.equal(status, scanStatusOf(code as ErrorCode), `${code}: status`);
  }
  for (const { code, http } of entriesUnder('From HTTP'))
    t.equal(http, String(statusOf(code as HttpCode)), `${code}: HTTP`);
});
