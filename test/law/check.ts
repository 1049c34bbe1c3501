/** `npm run lint`: says which line of the house breaks which law. */
import { clone, judgeHouse } from './house.js';

const { sources, breaches } = judgeHouse(clone);
for (const breach of breaches) console.error(breach);
console.log(`The law of the house: ${sources} files, ${breaches.length} breaches.`);
process.exitCode = breaches.length > 0 ? 1 : 0;
