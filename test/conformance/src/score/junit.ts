/** A report as JUnit XML, in the form that build servers read: Jenkins, GitLab, GitHub's and Azure's readers. */
import { escaped } from './markup.js';
import type { CaseResult, Report, SuiteResult } from './report.js';
import { secondsOf } from './words.js';

/** `fail` is a failure; what was not run is skipped, with its sentence. */
export function junitReport(report: Report): string {
  const { suites, cases, seconds, date } = report;
  const name = `${report.package.name} ${report.package.version}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...numbers(cases), time: seconds.toFixed(3) })}>`,
    ...suites.flatMap(suite =>
      suiteLines(
        suite,
        cases.filter(each => each.suite === suite.name),
        { timestamp: date.replace(/\.\d+Z$/, ''), properties: propertiesOf(report) },
      ),
    ),
    '</testsuites>',
  ].join('\n');
}

function suiteLines(
  { name, seconds }: SuiteResult,
  cases: readonly CaseResult[],
  { timestamp, properties }: { timestamp: string; properties: Readonly<Record<string, string>> },
): string[] {
  return [
    `  <testsuite${attributes({ name, ...numbers(cases), time: seconds.toFixed(3), timestamp })}>`,
    '    <properties>',
    ...Object.entries(properties).map(([key, value]) => `      <property${attributes({ name: key, value })}/>`),
    '    </properties>',
    ...cases.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function caseLines(each: CaseResult): string[] {
  const { id, title, suite, seconds, outcome, message = '', fix } = each;
  const start = `    <testcase${attributes({ classname: suite, name: `${id}: ${title}`, time: seconds.toFixed(3) })}`;
  if (outcome === 'pass') return [`${start}/>`];
  if (outcome !== 'fail')
    return [`${start}>`, `      <skipped${attributes({ message: `${outcome}: ${message}` })}/>`, '    </testcase>'];
  const [first = ''] = message.split('\n');
  const text = fix === undefined ? message : `${message}\nFix: ${fix}`;
  return [
    `${start}>`,
    `      <failure${attributes({ message: first, type: 'AssertionError' })}>${escaped(text)}</failure>`,
    '    </testcase>',
  ];
}

function numbers(cases: readonly CaseResult[]): Record<string, string> {
  const failures = cases.filter(each => each.outcome === 'fail').length;
  const passed = cases.filter(each => each.outcome === 'pass').length;
  return {
    tests: String(cases.length),
    failures: String(failures),
    errors: '0',
    skipped: String(cases.length - failures - passed),
  };
}

function propertiesOf({ score, versions, package: its, seconds }: Report): Readonly<Record<string, string>> {
  return {
    ...(score === undefined ? {} : { score: String(score) }),
    package: `${its.name} ${its.version}`,
    core: versions.core,
    conformance: versions.conformance,
    node: versions.node,
    platform: versions.platform,
    duration: secondsOf(seconds),
  };
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('\n', '&#10;')}"`)
    .join('');
}
