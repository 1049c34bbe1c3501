/**
 * Runs the suites of a target over its driver with one mutant, in a process of its own; ends at the first failure.
 * Its argument: `{ target, mutant?: { url, source } }`. Sends its parent the failed case, or undefined, with its message.
 */
import { register } from 'node:module';
import { targets } from './targets.mjs';

/** Of one answer of a driver in memory. */
const timeoutMs = 5000;
/** Cases at a time: they wait more than they work. */
const AT_ONCE = 10;

const { target, mutant } = JSON.parse(process.argv[2]);

function end(found) {
  process.send(found, () => process.exit(0));
}
process.on('uncaughtException', error => end({ failed: 'uncaught', message: String(error) }));

if (mutant) register('./loader.mjs', import.meta.url, { data: mutant });

const { driverCases, runCase, whyNotRun } = await cases();

async function run() {
  const suites = await targets[target].suites();
  for (const [i, each] of suites.entries()) {
    const { packageUrl, ...features } = each.features;
    const suite = {
      make: each.make,
      features: { ...features, timeoutMs, ...(i === 0 && packageUrl && { packageUrl }) },
    };
    const those = driverCases.filter(one => !whyNotRun(one, suite) && (i === 0 || !one.alone));
    const late = [];
    await atOnce(those, AT_ONCE, one => attempt(one, suite, late));
    // On a busy machine: alone, a driver that answers is in time.
    for (const one of late) await attempt(one, suite);
  }
}

/** @param late takes the case if it fails because nothing came in time; absent: that is a failure too */
async function attempt(one, suite, late) {
  try {
    await runCase(one, suite, error => {
      throw error;
    });
  } catch (error) {
    const message = String(error?.message ?? error).slice(0, 300);
    if (late && /nothing came within|does not end by itself within/.test(message)) late.push(one);
    else end({ failed: one.id, message });
  }
}

async function atOnce(all, count, each) {
  const queue = all.values();
  const work = async () => {
    for (const one of queue) await each(one);
  };
  await Promise.all(Array.from({ length: count }, work));
}

async function cases() {
  const at = new URL('../../test/conformance/dist/', import.meta.url).href;
  return { ...(await import(`${at}driverContract.js`)), ...(await import(`${at}contractTest.js`)) };
}

try {
  await run();
  end({});
} catch (error) {
  end({ failed: 'import', message: String(error) });
}
