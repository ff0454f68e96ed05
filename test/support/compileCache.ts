import { join } from 'node:path';

/**
 * Variables for a Node process that runs the sources: it keeps what it compiled for the next one, by the content of each
 * file, which saves it a third of its start. Several may do so at a time.
 */
export const compileCache: Readonly<Record<string, string>> = {
	NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', 'test-results', 'compile-cache'),
};
