/** PDFs of a scan, beside the programs that make them of files. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { openKept } from '../pdfRows.js';
import { alternate } from '../rounds.js';
import { openSearchable } from '../textRows.js';
import { STACK, type Group } from './row.js';

/** Of text: the program takes four seconds for each. */
const SEARCHABLE = 4;

export const pdf: Group<'kept'> = {
  needs: ['img2pdf', 'pdfimages'],
  rows: {
    kept: {
      what: `PDF of ${STACK} kept A4 pages, 300 dpi, color, JPEG, over HTTPS`,
      peer: '`img2pdf`',
      unit: 'ms',
      wanted: { sign: '≤', value: 1 },
      checked: 'each page’s file',
    },
  },
  async measure({ folder, files, say }) {
    const kept = await openKept(await mkdtemp(join(folder, 'pdf-')), await files(), STACK);
    try {
      const takings = await alternate(kept.sides, { rounds: 7, title: 'PDF of kept pages, ms', say });
      await kept.assertPages();
      return { kept: takings };
    } finally {
      await kept.close();
    }
  },
};

export const searchable: Group<'pdf'> = {
  needs: ['ocrmypdf', 'img2pdf', 'tesseract', 'pdftotext'],
  rows: {
    pdf: {
      what: `Searchable PDF of ${SEARCHABLE} A4 pages of 650 words, the scan included`,
      peer: '`ocrmypdf`',
      unit: 's',
      digits: 1,
      wanted: { sign: '≤', value: 1 },
      checked: 'pages, words',
    },
  },
  async measure({ folder, say }) {
    const own = await mkdtemp(join(folder, 'searchable-'));
    const { sides, assertSearchable, close } = await openSearchable(own, SEARCHABLE, say);
    try {
      const takings = await alternate(sides, { rounds: 3, title: 'searchable PDF, s', digits: 1, say });
      await assertSearchable();
      return { pdf: takings };
    } finally {
      await close();
    }
  },
};
