/** The log file: its bounds, its rights, and what it survives. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { lackingDisks, mountSmallDisk } from '@platen/conformance';
import t, { type Test } from 'tap';
import { logFilesIn, openLogFile, type LogFile } from './logFile.js';

const never = (sentence: string): void => void t.fail(sentence);
const KIB = 1024;

function opened(t: Test, dataDir: string, files = 3, failed = never): LogFile {
  const log = openLogFile(dataDir, { fileBytes: KIB, files }, failed);
  t.teardown(() => log.close());
  return log;
}

/** A line of 100 bytes. */
const line = (number: number): string => `${String(number).padStart(99, ' ')}\n`;
const numbersIn = (path: string): number[] => readFileSync(path, 'utf8').trim().split('\n').map(Number);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

t.test('log file: no file holds more than its bytes, no more files than asked for, the oldest go', async t => {
  const dataDir = t.testdir();
  const log = opened(t, dataDir);
  for (const number of range(1, 45)) log.write(line(number));
  const files = logFilesIn(dataDir);
  t.same(
    files.map(path => path.slice(join(dataDir, 'logs/').length)),
    ['platen.2.log', 'platen.1.log', 'platen.log'],
  );
  for (const path of files) t.ok(statSync(path).size <= KIB, path);
  t.same(files.flatMap(numbersIn), range(21, 45));
});

t.test('log file: with one file, it begins again', async t => {
  const dataDir = t.testdir();
  const log = opened(t, dataDir, 1);
  for (const number of range(1, 15)) log.write(line(number));
  t.same(readdirSync(join(dataDir, 'logs')), ['platen.log']);
  t.same(logFilesIn(dataDir).flatMap(numbersIn), range(11, 15));
});

t.test('log file: a later service goes on; a lower number of files removes the others', async t => {
  const dataDir = t.testdir();
  const first = opened(t, dataDir, 4);
  for (const number of range(1, 35)) first.write(line(number));
  first.close();
  t.equal(logFilesIn(dataDir).length, 4);
  opened(t, dataDir, 2).write(line(36));
  t.same(logFilesIn(dataDir).flatMap(numbersIn), range(21, 36));
});

t.test('log file: only its account reads it', { skip: process.platform === 'win32' }, async t => {
  const dataDir = t.testdir({ logs: { 'platen.log': '0\n' } });
  chmodSync(join(dataDir, 'logs'), 0o755);
  chmodSync(join(dataDir, 'logs', 'platen.log'), 0o644);
  opened(t, dataDir).write(line(1));
  t.equal(statSync(join(dataDir, 'logs')).mode & 0o777, 0o700);
  t.equal(statSync(join(dataDir, 'logs', 'platen.log')).mode & 0o777, 0o600);
});

t.test('log file: a line of which a power failure left half, the next one is whole', async t => {
  const dataDir = t.testdir({ logs: { 'platen.log': '1\n2' } });
  opened(t, dataDir).write('3\n');
  t.same(logFilesIn(dataDir).flatMap(numbersIn), [1, 2, 3]);
});

t.test('log file: a line that is longer than a file is named, not written', async t => {
  const dataDir = t.testdir();
  const log = opened(t, dataDir);
  log.write(`${'x'.repeat(5000)}\n`);
  log.write(line(2));
  const [first = '', second] = readFileSync(join(dataDir, 'logs', 'platen.log'), 'utf8').split('\n');
  t.match(JSON.parse(first), { level: 40, msg: /5001 bytes/ });
  t.equal(Number(second), 2);
});

t.test('log file: removed or moved away while it is open, a new one is begun', async t => {
  const dataDir = t.testdir();
  const log = opened(t, dataDir);
  log.write(line(1));
  rmSync(join(dataDir, 'logs', 'platen.log'));
  log.write(line(2));
  t.same(logFilesIn(dataDir).flatMap(numbersIn), [2]);
  renameSync(join(dataDir, 'logs', 'platen.log'), join(dataDir, 'logs', 'saved.log'));
  log.write(line(2));
  t.same(logFilesIn(dataDir).flatMap(numbersIn), [2]);
  rmSync(join(dataDir, 'logs'), { recursive: true });
  log.write(line(3));
  t.same(logFilesIn(dataDir).flatMap(numbersIn), [3]);
});

t.test('log file: a file that cannot be moved stays bounded, and nothing older is lost', async t => {
  const dataDir = t.testdir({ logs: { 'platen.2.log': '-2\n', 'platen.1.log': '-1\n' } });
  // A folder with something in it is replaced by no file.
  mkdirSync(join(dataDir, 'logs', 'platen.3.log', 'x'), { recursive: true });
  const log = opened(t, dataDir, 4);
  for (const number of range(1, 100)) log.write(line(number));
  const newest = join(dataDir, 'logs', 'platen.log');
  t.ok(statSync(newest).size <= 2 * KIB + 100);
  t.equal(numbersIn(newest).at(-1), 100);
  t.same(numbersIn(join(dataDir, 'logs', 'platen.2.log')), [-2]);
  t.same(numbersIn(join(dataDir, 'logs', 'platen.1.log')), [-1]);
});

for (const [what, prepare] of [
  ['the data folder is gone', dataDir => rmSync(dataDir, { recursive: true })],
  ['its folder is a file', dataDir => writeFileSync(join(dataDir, 'logs'), '')],
  ['its folder is a link', dataDir => symlinkSync(join(dataDir, 'elsewhere'), join(dataDir, 'logs'))],
  [
    'it is a link',
    dataDir => {
      mkdirSync(join(dataDir, 'logs'), { mode: 0o700 });
      symlinkSync(join(dataDir, 'elsewhere', 'target'), join(dataDir, 'logs', 'platen.log'));
    },
  ],
] satisfies readonly [string, (dataDir: string) => void][])
  t.test(`log file: ${what}, told once, nothing is written and nothing stops`, async t => {
    const dataDir = join(t.testdir({ data: { elsewhere: {} } }), 'data');
    prepare(dataDir);
    const sentences: string[] = [];
    const log = opened(t, dataDir, 3, sentence => void sentences.push(sentence));
    for (const number of range(1, 3)) log.write(line(number));
    t.equal(sentences.length, 1);
    t.match(sentences[0], /log\.file/);
    if (existsSync(dataDir)) t.same(readdirSync(join(dataDir, 'elsewhere')), []);
  });

t.test('log file: a full disk, told once; with room again, the lines are whole', { skip: lackingDisks() }, async t => {
  const dataDir = t.testdir({ logs: {} });
  const disk = mountSmallDisk(join(dataDir, 'logs'), '16k');
  const sentences: string[] = [];
  const log = openLogFile(dataDir, { fileBytes: 64 * KIB, files: 2 }, sentence => void sentences.push(sentence));
  writeFileSync(join(dataDir, 'logs', 'other'), Buffer.alloc(8 * KIB));
  for (const number of range(1, 200)) log.write(line(number));
  t.equal(sentences.length, 1);
  t.match(sentences[0], /ENOSPC/);
  rmSync(join(dataDir, 'logs', 'other'));
  log.write(line(201));
  log.close();
  const written = readFileSync(join(dataDir, 'logs', 'platen.log'), 'utf8').split('\n');
  disk.unmount();
  t.equal(Number(written.at(-2)), 201);
  // Half a line at the most, where the disk was full.
  t.ok(written.filter(each => each.length !== 99 && each !== '').length <= 1);
});
