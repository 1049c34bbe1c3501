/** The client module's entry point; the service serves it, in one file, as `/client.js`. */
export * from './client/index.js';
