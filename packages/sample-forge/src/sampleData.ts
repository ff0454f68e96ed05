import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text of a file in the folder `sampleData`. The build copies the folder beside the bundles. */
export function readData(path: string): string {
	return readFileSync(join(import.meta.dirname, 'sampleData', path), 'utf8');
}
