/** The scanning component's entry point, served as `/component.js`: defines `<platen-scan>`. */
import { PlatenScan } from './component/element.js';

export { PlatenScan, type ComponentPage } from './component/element.js';
export type { Key } from './component/words/en.js';
export type { Words } from './component/words/words.js';
export { PlatenError, type PlatenErrorCode } from './client/errors.js';

if (!customElements.get('platen-scan')) customElements.define('platen-scan', PlatenScan);
