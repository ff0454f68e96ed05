import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../../harness/places.ts';

const metafile = v.object({
	outputs: v.record(
		v.string(),
		v.object({
			inputs: v.record(v.string(), v.unknown()),
			imports: v.array(v.object({ path: v.string(), kind: v.string() })),
			bytes: v.number(),
		}),
	),
});

/** A bundle, as esbuild describes it. */
export interface BundleFacts {
	/** The source files in it and in the chunks that load with it, as paths from the repository root. */
	readonly inputs: readonly string[];
	/** Includes those chunks. */
	readonly bytes: number;
}

/** Reads the facts of a bundle such as `dist/net.js`. */
export function bundleFacts(bundle: string): BundleFacts {
	const meta = bundle.startsWith('dist/pages/') ? 'pages' : 'extension';
	const { outputs } = v.parse(metafile, JSON.parse(readFileSync(join(root, `dist/meta/${meta}.json`), 'utf8')));
	const loaded = new Set([bundle]);
	// Iterating a set includes elements added meanwhile.
	for (const path of loaded) {
		for (const { path: next, kind } of outputs[path]?.imports ?? []) {
			if (kind === 'import-statement' && next in outputs) {
				loaded.add(next);
			}
		}
	}
	const files = Array.from(loaded, (path) => outputs[path]);
	return {
		inputs: files.flatMap((file) => Object.keys(file?.inputs ?? {})),
		bytes: files.reduce((sum, file) => sum + (file?.bytes ?? 0), 0),
	};
}
