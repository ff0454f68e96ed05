import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../../harness/places.ts';

const metafile = v.object({ inputs: v.record(v.string(), v.unknown()) });

/** The source files that went into a bundle, as paths from the top of the repository. */
export function bundleInputs(name: string): readonly string[] {
	const text = readFileSync(join(root, 'dist/meta', `${name}.json`), 'utf8');
	return Object.keys(v.parse(metafile, JSON.parse(text)).inputs);
}
