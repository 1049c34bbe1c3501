/**
 * Node as the installers bring it, for this computer: .ci/run runs the tests with it.
 * Usage: node nodeHere.mjs FOLDER. The last line that it prints is the folder of the program: in FOLDER, or that of the Node
 * that runs this, if it is as new or there is none for this computer.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../step.mjs';
import { fetchPackage, nodePackages } from './node.mjs';

const [folder = '.'] = process.argv.slice(2);
const wanted = nodePackages[`${process.platform}-${process.arch}`];
const major = version => Number(version.split('.')[0]);

if (!wanted || major(process.versions.node) >= major(wanted.version)) console.log(dirname(process.execPath));
else {
  mkdirSync(folder, { recursive: true });
  const tarball = await fetchPackage(wanted);
  await run(`Unpacking ${wanted.name}`, ['tar', '-xzf', tarball, '-C', folder, '--strip-components=1']);
  console.log(join(folder, 'bin'));
}
