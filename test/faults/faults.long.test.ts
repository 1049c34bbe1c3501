/** The faults that faults.test.ts leaves out. */
import { others, tryAll } from './chosen.js';

await tryAll(others);
