/** The bundled engine over pages. */
import t from 'tap';
import { readsPages } from './pages.test.kit.js';

readsPages(t, 'wasm');
