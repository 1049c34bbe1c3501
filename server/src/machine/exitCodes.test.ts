/** Every exit code is in the help, and every failure of a scan has an exit code. */
import { driverCodes, serviceCodes, ScanError } from '@platen/core';
import t from 'tap';
import { exitCodeOf, exitCodes, exitCodesHelp, type ExitName } from './exitCodes.js';

t.test('exit codes: the help lists each code once', async t => {
  const named = exitCodesHelp(Object.keys(exitCodes) as ExitName[])
    .split('\n')
    .flatMap(line => /^ *(\d+) {2}\S/.exec(line)?.[1] ?? [])
    .map(Number);
  t.same(
    named.sort((a, b) => a - b),
    Object.values(exitCodes),
  );
});

t.test('exit codes: failures of a scan', async t => {
  const codeOf = Object.fromEntries(
    [...driverCodes, ...serviceCodes].map(code => [code, exitCodeOf(new ScanError(code, 'x'))]),
  );
  t.same([codeOf['no-paper'], codeOf['cancelled'], codeOf['storage-failed'], codeOf['internal']], [8, 130, 1, 1]);
  t.same([codeOf['service-ended'], codeOf['storage-full']], [7, 1]);
  for (const code of driverCodes.filter(each => each !== 'no-paper' && each !== 'cancelled'))
    t.equal(codeOf[code], 7, code);
});

t.test('exit codes: failures of a command', async t => {
  const failed = (code: unknown): number => exitCodeOf(Object.assign(new Error('x'), { code }));
  t.same(
    [
      'usage',
      'ERR_PARSE_ARGS_UNKNOWN_OPTION',
      'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL',
      'configuration',
      'certificate',
      'EADDRINUSE',
      'data-folder-in-use',
      'channel-in-use',
    ].map(failed),
    [2, 2, 2, 3, 4, 5, 6, 9],
  );
  t.same(
    [failed('ENOENT'), failed(7), failed('constructor'), exitCodeOf(undefined), exitCodeOf('text')],
    [1, 1, 1, 1, 1],
  );
});
