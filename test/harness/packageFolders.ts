import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as v from 'valibot';
import { root } from './places.ts';

const manifest = v.object({ name: v.string() });

/** Folders of the packages in this repository by name: `packages/patchmail` for `patchmail`. */
export const packageFolders: ReadonlyMap<string, string> = new Map(
	globSync('packages/*/package.json', { cwd: root })
		.map((file) => file.replaceAll('\\', '/'))
		.toSorted()
		.map((file) => [v.parse(manifest, JSON.parse(readFileSync(join(root, file), 'utf8'))).name, posix.dirname(file)]),
);

/** The package of an import: `patchmail` for `patchmail/mail/mailText.ts`, `@vscode/codicons` for an icon. */
export function packageNameIn(specifier: string): string {
	return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/** The source that a file imports, as a path from the root. `undefined`: not of this repository. */
export function importedSource(file: string, specifier: string): string | undefined {
	if (specifier.startsWith('.')) {
		return posix.join(posix.dirname(file), specifier);
	}
	const name = packageNameIn(specifier);
	const folder = packageFolders.get(name);
	return folder === undefined ? undefined : `${folder}/src${specifier.slice(name.length)}`;
}

/** The test of a source's own name: `packages/patchmail/test/x.test.ts` for `packages/patchmail/src/x.ts`. */
export function testOf(source: string): string {
	return source
		.replace(/^src\//, 'test/unit/')
		.replace(/^(packages\/[^/]+)\/src\//, '$1/test/')
		.replace(/\.ts$/, '.test.ts');
}
