/** The audit's file: its lines, its rights, its two generations, and a disk that takes nothing. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openAudit } from './audit.js';

const A = 'https://a.example';
const now = () => Date.UTC(2026, 0, 1);

t.test('audit: a line for each event; no name can forge another one', async t => {
  const dataDir = t.testdir();
  const audit = openAudit(dataDir, now, error => t.fail(String(error)));
  const scanner =
    'A\n{"at":"2026-01-01T00:00:00.000Z","event":"allowed","origin":"https://evil.example"}\r\n\u2028\u0000"';
  audit({ event: 'scan', origin: A, scanner });
  audit({ event: 'asked', origin: 'https://b.example', may: ['scan'] });
  const text = readFileSync(join(dataDir, 'audit.log'), 'utf8');
  t.equal(text.split('\n').length, 3);
  t.same(
    text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as unknown),
    [
      { at: '2026-01-01T00:00:00.000Z', event: 'scan', origin: A, scanner },
      { at: '2026-01-01T00:00:00.000Z', event: 'asked', origin: 'https://b.example', may: ['scan'] },
    ],
  );
  if (process.platform !== 'win32') t.equal(statSync(join(dataDir, 'audit.log')).mode & 0o777, 0o600);
});

t.test('audit: a long name is cut, so that no line is long', async t => {
  const dataDir = t.testdir();
  openAudit(dataDir, now, error => t.fail(String(error)))({ event: 'stream', origin: A, scanner: 'x'.repeat(60_000) });
  const text = readFileSync(join(dataDir, 'audit.log'), 'utf8');
  t.ok(text.length < 500, `${text.length} characters`);
  t.match(JSON.parse(text), { event: 'stream', origin: A, scanner: /^x+…$/ });
  const scanners = Array.from({ length: 100 }, (_, i) => String(i).repeat(150));
  openAudit(dataDir, now, error => t.fail(String(error)))({ event: 'asked', origin: A, scanners });
  const [, asked = ''] = readFileSync(join(dataDir, 'audit.log'), 'utf8').split('\n');
  t.ok(asked.length < 1500, `${asked.length} characters for 100 names`);
  t.equal((JSON.parse(asked) as { scanners: string[] }).scanners.at(-1), '90 more');
});

t.test('audit: a full file becomes the one before', async t => {
  const dataDir = t.testdir();
  const [file, before] = [join(dataDir, 'audit.log'), join(dataDir, 'audit.1.log')];
  const audit = openAudit(dataDir, now, error => t.fail(String(error)));
  for (const round of ['first', 'second']) {
    writeFileSync(file, `${round}\n${' '.repeat(4 * 1024 * 1024)}`);
    audit({ event: 'scan', origin: A });
    t.match(readFileSync(before, 'utf8').slice(0, 10), round);
    t.equal(readFileSync(file, 'utf8').split('\n').length, 2);
  }
});

t.test('audit: a line that cannot be written is told and stops nothing', async t => {
  const dataDir = t.testdir();
  mkdirSync(join(dataDir, 'audit.log'));
  const failures: unknown[] = [];
  openAudit(dataDir, now, error => void failures.push(error))({ event: 'scan', origin: A });
  openAudit(join(dataDir, 'missing'), now, error => void failures.push(error))({ event: 'scan', origin: A });
  t.match(failures, [{ code: 'EISDIR' }, { code: 'ENOENT' }]);
});
