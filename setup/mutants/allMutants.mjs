/** The mutants of a driver that is a target. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../step.mjs';
import { mutantsOf } from './mutate.mjs';
import { targets } from './targets.mjs';

/** @param wanted which of the target's files; all when absent */
export function allMutants(target, wanted = () => true) {
  const { folder, files } = targets[target];
  return files.filter(wanted).flatMap(file => {
    const path = `${folder}/src/${file}.ts`;
    const text = readFileSync(join(root, path), 'utf8');
    const lines = text.split('\n');
    return mutantsOf(text).map(mutant => ({ target, file, path, text: lines[mutant.line - 1], ...mutant }));
  });
}
