/** The facts of a page with their style sheet: loaded where they are offered. */
export { default as style } from '../styles/facts.css';
export { factsView } from './facts.js';
