/** A report as one page of HTML, without scripts and without anything to load: to show, to send, to print. */
import { style } from './htmlStyle.js';
import { escaped } from './markup.js';
import type { CaseResult, Outcome, Report } from './report.js';
import { countOf, countWords, markOf } from './text.js';
import { findings, linesFor, secondsOf, titleOf } from './words.js';

export function htmlReport(report: Report): string {
  const { package: its, score, only, promises, suites, cases } = report;
  const title = `${its.name} ${its.version}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}: Platen conformance</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="kind">Platen conformance</p>
<h1>${escaped(title)}</h1>
${score === undefined ? `<p>Only "${escaped(only ?? '')}" was run, so there is no score.</p>` : `<p class="score"><strong>${score}</strong> of 100</p>`}
${linesFor(report)
  .map(line => `<p class="facts">${escaped(line)}</p>`)
  .join('\n')}
</header>
<main>
<h2>Promises</h2>
${table(
  ['', 'Promise', 'Weight', 'Cases passed', 'Time'],
  promises.map(each => [
    mark(markOf(each.counts)),
    escaped(titleOf(each)),
    String(each.weight),
    countOf(each.counts),
    secondsOf(each.seconds),
  ]),
)}
${section('Failed', cases, 'fail')}${section('Known gaps', cases, 'gap')}${section('Not tried', cases, 'not-tried')}
<h2>Suites</h2>
${table(
  ['Suite', 'Cases', 'Time'],
  suites.map(each => [escaped(each.name), countWords(each.counts), secondsOf(each.seconds)]),
)}
<h2>All cases</h2>
${suites.map(each => caseTable(each.name, cases)).join('\n')}
</main>
</body>
</html>`;
}

function section(heading: string, cases: readonly CaseResult[], outcome: Outcome): string {
  const its = findings(cases, outcome);
  if (its.length === 0) return '';
  const items = its.map(
    ({ ids, suites: names, title, message = '', fix }) =>
      `<li><p><code>${ids.map(escaped).join('</code>, <code>')}</code> <span class="of">${names.map(escaped).join(', ')}</span></p>${ids.length === 1 ? `<p>${escaped(title)}</p>` : ''}` +
      `<pre>${escaped(message.trim())}</pre>${fix === undefined ? '' : `<p class="fix"><strong>Fix:</strong> ${escaped(fix)}</p>`}</li>`,
  );
  return `<h2>${heading}</h2>\n<ul class="found">\n${items.join('\n')}\n</ul>\n`;
}

const marks: Readonly<Record<Outcome, [sign: string, word: string]>> = {
  pass: ['✓', 'passed'],
  fail: ['✗', 'failed'],
  gap: ['–', 'known gap'],
  'not-tried': ['–', 'not tried'],
  'not-applicable': ['–', 'not applicable'],
};

function caseTable(suite: string, cases: readonly CaseResult[]): string {
  const rows = cases
    .filter(each => each.suite === suite)
    .map(({ id, title, outcome, seconds, figures = {} }) => [
      mark(marks[outcome][0]),
      `<code>${escaped(id)}</code><br>${escaped(title)}${Object.entries(figures)
        .map(([name, value]) => `<br><span class="of">${escaped(name)}: ${value}</span>`)
        .join('')}`,
      marks[outcome][1],
      outcome === 'pass' || outcome === 'fail' ? secondsOf(seconds) : '',
    ]);
  return `<h3>${escaped(suite)}</h3>\n${table(['', 'Case', 'Outcome', 'Time'], rows)}`;
}

function mark(sign: string): string {
  const names: Readonly<Record<string, string>> = { '✓': 'pass', '✗': 'fail', '–': 'open' };
  return `<span class="${names[sign] ?? ''}">${sign}</span>`;
}

/** @param rows cells of HTML */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(each => `<${tag}>${each}</${tag}>`).join('')}</tr>`;
  return `<table>\n<thead>${line(heads, 'th')}</thead>\n<tbody>\n${rows.map(cells => line(cells, 'td')).join('\n')}\n</tbody>\n</table>`;
}
