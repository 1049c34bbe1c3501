/** Counts the tests in a TAP stream: each test without tests of its own is one. */
import { Parser, type Result } from 'tap-parser';

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** A test that failed or was skipped. */
export interface Told {
  /** Its title and its parents', outermost first; empty: the file itself. */
  readonly path: readonly string[];
  readonly outcome: 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** The assertions that failed; none where the test ended in another way, see `diag`. */
  readonly assertions: readonly { readonly name: string; readonly diag: unknown }[];
  readonly diag: unknown;
}

export interface FileReport {
  /** As the runner names it: the compiled file. */
  readonly file: string;
  readonly tally: Tally;
  readonly told: readonly Told[];
  readonly ms: number | null;
}

/** A test, or a file of tests, while its lines arrive. */
interface Node {
  readonly children: { readonly name: string; readonly node: Node; point?: Result }[];
  /** Test points that are no child's: assertions, and tests that were skipped before they began. */
  readonly points: Result[];
}

/**
 * @param onFile called when a file is through
 * @returns a stream that takes the runner's TAP
 */
export function tallyFiles(onFile: (report: FileReport) => void): Parser {
  const root = new Parser();
  let file: { name: string; node: Node } | undefined;
  root.on('child', (parser: Parser) => {
    file = { name: parser.name, node: watch(parser) };
  });
  root.on('assert', (point: Result) => {
    const report = { file: point.name, tally: { passed: 0, failed: 0, skipped: 0 }, told: [], ms: point.time };
    judge(file?.node ?? { children: [], points: [] }, emptyFile(point, file?.node), [], report);
    file = undefined;
    onFile(report);
  });
  return root;
}

function watch(parser: Parser): Node {
  const node: Node = { children: [], points: [] };
  let open: Node['children'][number] | undefined;
  parser.on('child', (child: Parser) => {
    open = { name: child.name, node: watch(child) };
    node.children.push(open);
  });
  parser.on('assert', (point: Result) => {
    if (open) open.point = point;
    else node.points.push(point);
    open = undefined;
  });
  return node;
}

interface Verdict {
  readonly ok: boolean;
  readonly skip: boolean | string;
  readonly todo: boolean | string;
  readonly diag: unknown;
}

/** tap calls a file without a test skipped; here it is one that failed to test. A file that says why it skips, skips. */
function emptyFile(point: Result, node: Node | undefined): Verdict {
  const nothing = point.skip === 'no tests found' && node?.children.length === 0 && node.points.length === 0;
  return nothing ? { ok: false, skip: false, todo: false, diag: { reason: 'the file has no tests' } } : point;
}

function judge(node: Node, verdict: Verdict, path: readonly string[], report: { tally: Tally; told: Told[] }): void {
  const { tally, told } = report;
  const skip = (name: readonly string[], reason: boolean | string) => {
    tally.skipped++;
    told.push({ path: name, outcome: 'skipped', ...(typeof reason === 'string' ? { reason } : {}), assertions: [], diag: null });
  };
  if (verdict.skip || verdict.todo) return skip(path, verdict.skip || verdict.todo);

  const failedBefore = tally.failed;
  for (const { name, node: child, point } of node.children) {
    judge(child, point ?? { ok: false, skip: false, todo: false, diag: { reason: 'the test never ended' } }, [...path, name], report);
  }
  const asserted = node.points.filter(point => !point.skip && !point.todo);
  for (const point of node.points) {
    if (point.skip || point.todo) skip([...path, point.name], point.skip || point.todo);
  }
  const assertions = asserted.filter(point => !point.ok).map(({ name, diag }) => ({ name, diag: diag as unknown }));
  if (assertions.length > 0 || (!verdict.ok && tally.failed === failedBefore)) {
    tally.failed++;
    told.push({ path, outcome: 'failed', assertions, diag: verdict.diag });
  } else if (node.children.length === 0 && (asserted.length > 0 || node.points.length === 0)) {
    tally.passed++;
  }
}
