/** The scanning component's entry point, served as `/component.js`: defines `<platen-scan>`. */
import { PlatenScan } from './component/element.js';

export { PlatenScan } from './component/element.js';
export type { ComponentPage, PlatenScanEventMap } from './component/elementTypes.js';
export type { PlatenScanAttributes } from './component/frameworks.js';
export type { Key } from './component/words/en.js';
export type { Words } from './component/words/words.js';
export { PlatenError, type PlatenErrorCode } from './client/errors.js';

// A server that renders pages has none.
if (globalThis.customElements && !customElements.get('platen-scan')) customElements.define('platen-scan', PlatenScan);
