/** Says on standard error how a scan gets on: a line per page, and how it ended. */
import type { PageFacts } from '@platen/client';
import type { Clock, ScanError } from '@platen/core';
import { scanStatusOf } from '../../service/http/errors.js';
import { refusals } from '../../service/responses/collect.js';
import type { Io } from '../../machine/io.js';

export type PageLine = Pick<PageFacts, 'number' | 'side' | 'sheet' | 'width' | 'height' | 'resolution' | 'blank'>;

export interface Progress {
  /** @param file absent if the page has no file of its own */
  page(page: PageLine, file?: string): void;
  /** Prints how the scan ended. @throws what ended it early */
  end(failure: ScanError | undefined): void;
}

/**
 * The scan's time counts from this call.
 * @param isQuiet pages are counted, and have no line
 */
export function createProgress(io: Pick<Io, 'err'>, clock: Clock, isQuiet = false): Progress {
  const startedAt = clock.monotonic();
  let since = startedAt;
  let pages = 0;
  return {
    page(page, file) {
      pages += 1;
      const now = clock.monotonic();
      if (!isQuiet) io.err([...columns(page, now - since), ...(file === undefined ? [] : [file])].join('  '));
      since = now;
    },
    end(failure) {
      const code = failure?.code;
      const refused = code !== undefined && refusals.has(code) && pages === 0;
      const seconds = ((clock.monotonic() - startedAt) / 1000).toFixed(1);
      if (!refused) io.err(`${scanStatusOf(code)}: ${pages} ${pages === 1 ? 'page' : 'pages'} in ${seconds} s`);
      if (failure) throw failure;
    },
  };
}

function columns({ number, side, sheet, width, height, resolution, blank }: PageLine, ms: number): readonly string[] {
  return [
    `page ${number}`,
    `${side} of sheet ${sheet}`,
    `${width} x ${height} pixels`,
    `${resolution} dpi`,
    `${Math.round(ms)} ms`,
    ...(blank?.isBlank ? ['blank'] : []),
  ];
}
