/** The packed types of `<platen-scan>`, as the oldest compiler sees them that the dependencies bring. */
import t from 'tap';
import { oldest, underFrameworks } from './componentApplication.js';

t.test("types: the element in React's JSX and among Vue's components; the oldest compiler", async t => {
  t.equal(underFrameworks(t, oldest), '');
});
