/** The scanning component, with the words of its language. */
import type { PlatenScan } from '@platen/client/component';

export const scan = document.querySelector('platen-scan') as PlatenScan;
