/** What a mutation run has found, for people. */
import { reasonOf } from './examined.mjs';

const short = text => (text.length > 70 ? `${text.slice(0, 67)}...` : text).replace(/\s+/g, ' ');
const percent = (part, whole) => Math.floor((1000 * part) / whole) / 10;
const survived = ({ failed }) => failed === undefined;

/** The survivors, those that nobody has examined first, and how many of each file were caught. */
export function linesOf(results) {
  const survivors = results.filter(survived).sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
  const lineOf = each => {
    const reason = reasonOf(each);
    return `  ${each.path}:${each.line}  ${short(each.was)}  ->  ${short(each.is)}${reason ? `  (${reason})` : ''}`;
  };
  const files = [...new Set(results.map(({ path }) => path))].sort();
  return [
    'Survivors, which no case finds:',
    ...survivors.filter(each => !reasonOf(each)).map(lineOf),
    '',
    'Survivors that were examined:',
    ...survivors.filter(reasonOf).map(lineOf),
    '',
    ...files.map(path => {
      const its = results.filter(each => each.path === path);
      return `${path}: ${its.length - its.filter(survived).length} of ${its.length} caught`;
    }),
  ];
}

/** By promise: how many mutants it was the first to catch; and the number. */
export function tableOf(results) {
  const caught = results.filter(each => !survived(each));
  const counts = new Map();
  for (const { failed } of caught) counts.set(promiseOf(failed), (counts.get(promiseOf(failed)) ?? 0) + 1);
  const visible = results.filter(each => !survived(each) || !reasonOf(each));
  return [
    '',
    '| Promise | Mutants that it caught first |',
    '| --- | --- |',
    ...[...counts].sort(([, a], [, b]) => b - a).map(([promise, count]) => `| ${promise} | ${count} |`),
    '',
    `${caught.length} of ${results.length} mutants caught: ${percent(caught.length, results.length)} %.`,
    `Without the survivors that no caller can see: ${caught.length} of ${visible.length}, ${percent(caught.length, visible.length)} %.`,
  ];
}

const others = {
  hang: 'the suite does not end',
  exit: 'the process ends',
  import: 'the driver cannot be imported',
  uncaught: 'an error that nothing catches',
};

/** Of `5-front-before-back`: 5. */
function promiseOf(failed) {
  const [first] = failed.split('-');
  return others[failed] ?? (/^\d+$/.test(first) ? `promise ${first}` : first);
}
