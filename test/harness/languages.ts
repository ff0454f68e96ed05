import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from './places.ts';

const bundles = 'media/l10n/bundle.l10n.*.json';
const bundleShape = v.record(v.string(), v.string());

interface Language {
	readonly language: string;
	readonly file: string;
	/** By English text. */
	readonly texts: Readonly<Record<string, string>>;
}

/** The languages that Forge Desk ships beside English. */
export function languages(): readonly Language[] {
	return globSync(bundles, { cwd: root }).map((file) => ({
		language: /\.([\w-]+)\.json$/.exec(file)?.[1] ?? '',
		file,
		texts: v.parse(bundleShape, JSON.parse(readFileSync(join(root, file), 'utf8'))),
	}));
}
