/** The engine that comes along, over pages. */
import t from 'tap';
import { readsPages } from './pages.test.kit.js';

readsPages(t, 'wasm');
