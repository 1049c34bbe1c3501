/** Counts the tests in the TAP of a file: each test without tests of its own is one. */
import { Parser, type FinalResults, type Result } from 'tap-parser';

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
  /** The compiled one, relative to the clone. */
  readonly file: string;
  readonly tally: Tally;
  readonly told: readonly Told[];
  readonly ms: number;
}

/** A test, or a file of tests, while its lines arrive. */
interface Node {
  readonly children: { readonly name: string; readonly node: Node; point?: Result }[];
  /** Test points that are no child's: assertions, and tests that were skipped before they began. */
  readonly points: Result[];
}

/** How the process of a file ended. */
export interface FileEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal?: string | null;
  readonly ms: number;
  /** Its standard error; printed where the file failed. */
  readonly stderr?: string;
  /** Why the runner ended it. */
  readonly ended?: string;
}

const none = (): Omit<FileReport, 'file' | 'ms'> & { told: Told[] } => ({
  tally: { passed: 0, failed: 0, skipped: 0 },
  told: [],
});

/** @returns a stream that takes the TAP of a file, and what to ask when it has ended */
export function tallyFile(file: string): { readonly stream: Parser; report(end: FileEnd): FileReport } {
  const stream = new Parser();
  const node = watch(stream);
  let results: FinalResults | undefined;
  stream.on('complete', (final: FinalResults) => (results = final));
  return {
    stream,
    report(end) {
      const found = none();
      judge(node, verdictOf(end, node, results), [], found);
      return { file, ms: end.ms, ...found };
    },
  };
}

/**
 * The same for files that run in one process, each as one test with its name.
 * @param onFile told of each when it has ended
 */
export function tallyFiles(
  files: readonly string[],
  onFile: (report: FileReport) => void,
): {
  readonly stream: Parser;
  /** @returns those that did not run: the process ends with the first file that fails */
  left(end: FileEnd): string[];
} {
  const stream = new Parser();
  const waiting = [...files];
  let began = performance.now();
  let last: FileReport | undefined;
  const tell = (file: string, node: Node, verdict: Verdict) => {
    const found = none();
    judge(node, verdict, [], found);
    const now = performance.now();
    last = { file, ms: now - began, ...found };
    began = now;
    onFile(last);
  };
  const node = watch(stream, (child, point) => {
    waiting.splice(waiting.indexOf(child.name), 1);
    const empty = child.node.children.length === 0 && child.node.points.length === 0 && !point.skip;
    tell(child.name, child.node, empty && point.ok ? { ...point, ok: false, diag: { reason: noTests } } : point);
  });
  return {
    stream,
    left(end) {
      const { code } = end;
      const failed = { ok: false, skip: false, todo: false, diag: diagOf(end) };
      const open = node.children.find(({ point }) => !point);
      if (code === 0 && waiting.length === 0) return [];
      // The one that failed is counted already; any other end of the process is the fault of the file that ran.
      if (code !== null && last && last.tally.failed > 0) {
        const told: Told = { path: [], outcome: 'failed', assertions: [], diag: failed.diag };
        if (end.stderr) onFile({ ...last, ...none(), told: [told] });
        return waiting;
      }
      const file = open?.name ?? waiting[0] ?? last?.file ?? files.join(', ');
      // What came too late for its own test, or belongs to none, stands beside the files.
      const { children, points } = open?.node ?? { children: [], points: [] };
      tell(file, { children, points: [...points, ...node.points] }, failed);
      return waiting.filter(each => each !== file);
    },
  };
}

/** @param onChild told of each of its tests when that has ended */
function watch(parser: Parser, onChild?: (child: Node['children'][number], point: Result) => void): Node {
  const node: Node = { children: [], points: [] };
  let open: Node['children'][number] | undefined;
  parser.on('child', (child: Parser) => {
    open = { name: child.name, node: watch(child) };
    node.children.push(open);
  });
  parser.on('assert', (point: Result) => {
    if (open) {
      open.point = point;
      onChild?.(open, point);
    } else node.points.push(point);
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

/**
 * tap calls a file without a test skipped; here it is one that failed to test. A file that gives a reason for its skip
 * is skipped.
 */
function verdictOf(end: FileEnd, node: Node, results: FinalResults | undefined): Verdict {
  const { code } = end;
  const reason = results?.plan.skipAll ? results.plan.skipReason || 'no tests found' : false;
  const empty =
    node.children.length === 0 && node.points.length === 0 && (reason === false || reason === 'no tests found');
  const ok = code === 0 && results?.ok === true && !empty;
  const why =
    empty && code === 0
      ? { reason: noTests }
      : results?.ok === false && code === 0
        ? { reason: 'its TAP is not whole' }
        : {};
  return { ok, skip: ok && reason, todo: false, diag: { ...diagOf(end), ...why } };
}

const noTests = 'the file has no tests';

function diagOf({ code, signal, stderr, ended }: FileEnd): object {
  return {
    ...(code === 0 ? {} : signal ? { signal } : { exitCode: code }),
    ...(ended ? { ended } : {}),
    ...(stderr ? { stack: stderr } : {}),
  };
}

function judge(node: Node, verdict: Verdict, path: readonly string[], report: { tally: Tally; told: Told[] }): void {
  const { tally, told } = report;
  const skip = (name: readonly string[], reason: boolean | string) => {
    tally.skipped++;
    // `t.skip(sentence)` has its sentence as its title.
    const own =
      typeof reason === 'string'
        ? { path: name, reason }
        : { path: name.slice(0, -1), reason: name.at(-1) ?? 'no reason given' };
    told.push({ ...own, outcome: 'skipped', assertions: [], diag: null });
  };
  if (verdict.skip || verdict.todo) return skip(path, verdict.skip || verdict.todo);

  const failedBefore = tally.failed;
  for (const { name, node: child, point } of node.children) {
    judge(
      child,
      point ?? { ok: false, skip: false, todo: false, diag: { reason: 'the test never ended' } },
      [...path, name],
      report,
    );
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
