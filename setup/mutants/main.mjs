/** The mutation run: does the driver suite find faults that nobody thought of? `--help` says how to run it. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allMutants } from './allMutants.mjs';
import { linesOf, tableOf } from './report.mjs';
import { shuffled } from './sample.mjs';
import { targets } from './targets.mjs';
import { tryMutant } from './tryMutant.mjs';

const usage = `node setup/mutants/main.mjs [--target fake|virtual] [--file NAME] [--sample N] [--seed S] [--jobs N] [--json FILE]

Changes one thing in a driver that keeps every promise, runs the driver suite over it, and counts the changes that the
suite finds. Build first (npm run build). All mutants take some 20 minutes.
`;

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    file: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '3' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function main() {
  if (values.help) return console.log(usage);
  const names = Object.keys(targets).filter(name => !values.target || name === values.target);
  const all = names.flatMap(name => allMutants(name, file => !values.file || file === values.file));
  if (all.length === 0) throw new Error(`There is nothing to mutate. Targets: ${Object.keys(targets).join(', ')}.`);
  for (const name of names) {
    const { failed, message } = await tryMutant({ target: name, file: targets[name].files[0] });
    if (failed) throw new Error(`The driver "${name}" fails ${failed} without a mutant: ${message}`);
  }
  const mutants = shuffled(all, Number(values.seed)).slice(0, values.sample ? Number(values.sample) : undefined);
  const results = [];
  const queue = [...mutants];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { source: _, ...mutant } = next;
      results.push({ ...mutant, ...(await tryMutant(next)) });
      if (process.stderr.isTTY) process.stderr.write(`\r${results.length} of ${mutants.length}`);
      if (values.json) writeFileSync(values.json, JSON.stringify(results, null, 1));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  console.log(linesOf(results).join('\n'));
  console.log(tableOf(results).join('\n'));
}

await main();
