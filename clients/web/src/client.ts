/** The client module's door, served as `/client.js`. */
export * from './client/index.js';
