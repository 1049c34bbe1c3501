/**
 * Compares the surface that others program against with its record in docs/api, or writes the record.
 *
 * node setup/api/main.mjs [--check]   with --check nothing is written, and a difference is a failure
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../step.mjs';
import { openApi } from './openApi.mjs';
import { typeReports } from './typeReports.mjs';

const record = join(root, 'docs', 'api');

/** What a person does about a difference. */
const remedy = `A surface that others program against changed: see the lines above.
If that is intended, accept it: npm run api, and commit docs/api with the change. A removed or renamed name breaks
programs of others: say so in the commit's subject (feat!: …) and body (BREAKING CHANGE: …).`;

async function write(folder) {
  for (const [name, text] of Object.entries({ ...typeReports(), 'http.md': await openApi() })) {
    writeFileSync(join(folder, name), text);
  }
}

/** @returns {Promise<number>} 1 if a surface is not the recorded one */
async function check() {
  const now = mkdtempSync(join(tmpdir(), 'platen-api-'));
  try {
    await write(now);
    const names = ['core-plugin.md', 'core-driver.md', 'core-wire.md', 'conformance.md', 'client.md', 'http.md'];
    const differing = names.filter(name => differs(join(record, name), join(now, name)));
    if (differing.length > 0) console.error(remedy);
    return differing.length > 0 ? 1 : 0;
  } finally {
    rmSync(now, { recursive: true });
  }
}

/** Prints the difference, as git does. */
function differs(recorded, now) {
  try {
    execFileSync('git', ['diff', '--no-index', '--no-color', '--no-ext-diff', recorded, now], { stdio: 'inherit' });
    return false;
  } catch (error) {
    if (error.status === 1) return true;
    throw error;
  }
}

if (process.argv.includes('--check')) process.exitCode = await check();
else {
  mkdirSync(record, { recursive: true });
  await write(record);
}
