// Loads the modules of mutation tests (docs/decisions/0031-stryker.md).
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './places.ts';

export interface Version {
	/** Files with Stryker's code. Without it, tests run as fast as usual. */
	readonly mutated: ReadonlySet<string>;
	/** Files that reach these. All others keep their modules. */
	readonly fresh: ReadonlySet<string>;
	/** Stryker's code counts which test reaches which mutant. Counting is slow. */
	readonly isCounting: boolean;
}

/** Imports versions of this repository's modules: Node caches a module per address. */
export function openMutantModules(sandbox: string) {
	let number = 0;
	let version: Version = { mutated: new Set(), fresh: new Set(), isCounting: false };
	const codes = new Map<string, string>();
	const pathOf = (url: string): string | undefined =>
		url.startsWith('file:') ? relative(root, fileURLToPath(url)).replaceAll('\\', '/') : undefined;

	function codeOf(path: string): string {
		const isMutated = version.mutated.has(path);
		const key = `${isMutated} ${version.isCounting} ${path}`;
		const known = codes.get(key);
		if (known !== undefined) {
			return known;
		}
		const source = readFileSync(join(isMutated ? sandbox : root, path), 'utf8');
		const code = stripTypeScriptTypes(
			// Otherwise Stryker would continue to count.
			version.isCounting ? source : source.replace('function stryCov_9fa48() {', '$&}function unusedCount() {'),
		);
		codes.set(key, code);
		return code;
	}

	registerHooks({
		resolve(specifier, context, next) {
			const found = next(specifier, context);
			const path = pathOf(found.url);
			return path !== undefined && version.fresh.has(path)
				? { ...found, url: `${found.url}?version=${number}` }
				: found;
		},
		load(url, context, next) {
			const path = url.includes('?version=') ? pathOf(url) : undefined;
			return path === undefined ? next(url, context) : { format: 'module', shortCircuit: true, source: codeOf(path) };
		},
	});
	return {
		renew(next: Version): void {
			number += 1;
			version = next;
		},
	};
}
