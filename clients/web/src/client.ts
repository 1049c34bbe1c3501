/** The client module's entry point, served as `/client.js`. */
export * from './client/index.js';
