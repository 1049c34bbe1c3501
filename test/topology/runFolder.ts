/** A folder for what all processes of a test run use, under this name in their environment. */
export const runFolder = 'PLATEN_TEST_RUN';
