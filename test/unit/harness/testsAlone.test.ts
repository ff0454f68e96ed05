import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedSource } from '../../harness/packageFolders.ts';
import { root } from '../../harness/places.ts';
import { filesOf } from '../../harness/testRing.ts';

const imports = /^(?:import|export) (?!type )([^;']*)'([^']+)';/gm;

/** Modules that a file loads before its own code runs, without type imports. */
function loadedBy(file: string): readonly string[] {
	return Array.from(readFileSync(join(root, file), 'utf8').matchAll(imports), ([, names = '', from = '']) => {
		const named = /^\{([^}]*)\} from $/.exec(names)?.[1];
		const isErased = named?.split(',').every((name) => /^\s*(?:type |$)/.test(name)) === true;
		return isErased ? '' : (importedSource(file, from) ?? from);
	});
}

/** The path from a file to the editor's API by static imports; `undefined` without one. */
function wayToEditor(file: string, seen: Set<string>): readonly string[] | undefined {
	if (file === 'vscode') {
		return [file];
	}
	if (seen.has(file) || !file.endsWith('.ts') || !existsSync(join(root, file))) {
		return undefined;
	}
	seen.add(file);
	for (const loaded of loadedBy(file)) {
		const way = wayToEditor(loaded, seen);
		if (way) {
			return [file, ...way];
		}
	}
	return undefined;
}

suite('test files without the editor', () => {
	// Node resolves static imports before `vscodeStub.ts` runs. Another file of the same process may have run it.
	test('import modules that need the editor dynamically', () => {
		const files = ['unit', 'contract', 'sampleForge', 'bundle'].flatMap(filesOf);
		assert.ok(files.length > 500, String(files.length));
		assert.deepEqual(
			files.map((file) => wayToEditor(file, new Set())).filter((way) => way !== undefined),
			[],
		);
	});
});
