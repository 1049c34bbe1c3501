/** One set-up at a time per clone, or one of other work: a lock file with the id of the process that runs it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from './step.mjs';

const setUp = join(root, '.setup.lock');

/**
 * Runs the steps in order while no other process runs steps under the same file.
 * @param {(() => Promise<void>)[]} steps
 * @param {string} [file] absent: the set-up of this clone
 */
export async function alone(steps, file = setUp) {
  await take(file);
  const end = () => {
    rmSync(file, { force: true });
    process.exit(1);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, end);
  try {
    for (const step of steps) await step();
  } finally {
    for (const signal of signals) process.off(signal, end);
    rmSync(file, { force: true });
  }
}

async function take(file) {
  for (let told = false; ; told = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = holderOf(file);
    if (holder && !alive(holder)) rmSync(file, { force: true });
    else if (!told) console.log(`Waiting for process ${holder ?? '?'} (${file}).`);
    await setTimeout(200);
  }
}

/** @returns the process id, or undefined if the file is gone or being written */
function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
