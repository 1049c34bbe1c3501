/** The channel's pipe is restricted by Platen's program for Windows, or a warning says why not. */
import { recordingLog } from '@platen/conformance';
import t from 'tap';
import { pipeRestriction } from './restrictPipe.js';

const address = '\\\\.\\pipe\\platen-platen-0123';
const program = { command: 'C:\\platen-service.exe' };

t.test('restrict: by the program, with the address', async t => {
  const log = recordingLog('info');
  const calls: unknown[] = [];
  await pipeRestriction(log, {
    system: 'win32',
    program,
    run: async (...call) => (calls.push(call), ''),
  })?.(address);
  t.same(calls, [[program.command, ['--restrict-pipe', address, 'S-1-5-19']]]);
  t.same(log.lines, []);
});

t.test('restrict: no program, another than the published one, or one that fails, is a warning', async t => {
  for (const [tools, why] of [
    [{ program: undefined }, /server-win32-x64 is not installed/],
    [{ program: { ...program, refused: 'was not started: its SHA-256 differs' } }, /SHA-256 differs/],
    [{ program, run: () => Promise.reject(new Error('Access is denied.\nmore')) }, /\(Access is denied\.\)/],
  ] as const) {
    const log = recordingLog('info');
    await pipeRestriction(log, { system: 'win32', ...tools })?.(address);
    t.match(log.lines, [why]);
    t.equal(log.lines.length, 1);
  }
});

t.test('restrict: elsewhere a socket has a mode', async t => {
  t.equal(pipeRestriction(recordingLog('info'), { system: 'linux', program }), undefined);
});
