/** Messages for the person: what happened, what went wrong, how to fix it. Each stays until it is closed or outdated. */
import { html, type TemplateResult } from 'lit-html';
import type { Finding } from '../../client/diagnosis/findings.js';
import { PlatenError } from '../../client/errors.js';
import type { Context } from '../context.js';
import { keptWord, looksAgain, remedyOf } from './remedies.js';
import type { Words } from '../words/words.js';

export interface NoticeAction {
  readonly text: string;
  /** The message goes with the next look at the scanners, too. */
  readonly isLook?: boolean;
  run(): void;
}

export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  /** A sentence of the service, which is English. */
  readonly detail?: string | undefined;
  /** Perhaps with a link. */
  readonly remedy?: string | TemplateResult | undefined;
  readonly action?: NoticeAction | undefined;
  /** Alerts with an action stay: what they offer is still possible. */
  readonly beside?: boolean;
  /** An alert that no look at the scanners outdates: how a scan ended. */
  readonly stays?: boolean;
  /** Called when it is closed or replaced and its action was not pressed. */
  onGone?(): void;
}

export type NoticeKind = 'alert' | 'note';

export interface ShownNotice extends Notice {
  readonly id: number;
  readonly kind: NoticeKind;
}

export interface Notices {
  readonly all: readonly ShownNotice[];
  /** @returns a function that closes it */
  show(kind: NoticeKind, notice: Notice): () => void;
  /** The person pressed its action. */
  act(notice: ShownNotice): void;
  /** The person closed it. */
  close(notice: ShownNotice): void;
  clear(): void;
  /** All but alerts that stay, or have an action. */
  clearOutdated(): void;
  fail(error: unknown, ways?: WaysOut): Promise<void>;
}

export interface WaysOut {
  /** Finds out why the service does not answer. */
  diagnose?(): Promise<readonly Finding[]>;
  /** Looks for scanners again. */
  look?(): void;
  /** The application's own page about installing the service. */
  readonly install?: string | undefined;
}

/** Where reading goes on when a message with the focus is gone. */
const NEXT = 'pages';

export function createNotices(context: Context): Notices {
  let all: readonly ShownNotice[] = [];
  let last = 0;

  function take(some: readonly ShownNotice[], pressed?: ShownNotice): void {
    const gone = some.filter(each => all.includes(each));
    if (gone.length === 0) return;
    all = all.filter(each => !gone.includes(each));
    for (const notice of gone) if (notice !== pressed) notice.onGone?.();
    context.changed();
  }
  const outdated = (): readonly ShownNotice[] =>
    all.filter(({ kind, action, stays }) => kind === 'note' || action?.isLook || (!action && !stays));

  function show(kind: NoticeKind, notice: Notice): () => void {
    take(notice.beside ? outdated() : all);
    const shown: ShownNotice = { ...notice, id: ++last, kind };
    all = [...all, shown];
    context.changed();
    return () => take([shown]);
  }

  return {
    get all() {
      return all;
    },
    show,
    act(notice) {
      take([notice], notice);
      context.focus(NEXT);
      notice.action?.run();
    },
    close(notice) {
      take([notice]);
      context.focus(NEXT);
    },
    clear: () => take(all),
    clearOutdated: () => take(outdated()),
    async fail(error, { diagnose, look, install } = {}) {
      const { words } = context;
      if (!(error instanceof PlatenError)) {
        const detail = error instanceof Error ? error.message : String(error);
        show('alert', { title: words('error.here.title'), detail, remedy: words('error.here.remedy') });
        return;
      }
      const { title, remedy } = remedyOf(words, error.code);
      const findings = error.code === 'no-answer' ? ((await diagnose?.().catch(() => [])) ?? []) : [];
      const [finding] = findings;
      const said = (part: 'sentence' | 'remedy', of: Finding): string => {
        const key = `finding.${of.name}.${part}`;
        return words.has(key) ? words(key, { ...of.values }) : of[part];
      };
      const isSaid = finding !== undefined || error.message === `${title}.`;
      show(error.code === 'cancelled' ? 'note' : 'alert', {
        title,
        text: [finding && said('sentence', finding), keptWord(words, error.pages.length)].filter(Boolean).join(' '),
        detail: isSaid ? undefined : error.message,
        remedy: finding ? withLinks(words, said('remedy', finding), finding, install) : remedy,
        action:
          look && looksAgain.has(error.code) ? { text: words('scanner.refresh'), isLook: true, run: look } : undefined,
      });
    },
  };
}

/** The service's address in a remedy is a link, and a service that may not be installed has the application's own page. */
function withLinks(
  words: Words,
  remedy: string,
  { problem, values: { address } }: Finding,
  install: string | undefined,
): string | TemplateResult {
  const link = (to: string, text: string): TemplateResult =>
    html`<a href=${to} target="_blank" rel="noopener">${text}</a>`;
  const [before = '', ...after] = address === undefined ? [remedy] : remedy.split(`${address}/`);
  const isAbsent = install !== undefined && [problem].flat().includes('not-installed');
  if (after.length === 0 && !isAbsent) return remedy;
  return html`${before}${after.map(text => html`${link(`${address}/`, `${address}/`)}${text}`)}
  ${isAbsent ? link(install, words('error.install')) : ''}`;
}
