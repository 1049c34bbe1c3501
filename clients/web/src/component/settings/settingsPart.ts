/** The controls of the settings with their style sheet: loaded when they are opened for the first time. */
export { default as style } from '../styles/fields.css';
export { settingsView } from './settingsView.js';
