import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { openKnownGood } from '../../harness/knownGood.ts';
import { hashesOfReads } from '../../harness/testReads.ts';

/** A repository with a test that imports a source, and further files. */
function repository(root: string): { readonly write: (path: string, text: string) => void } {
	const write = (path: string, text: string): void => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	};
	execFileSync('git', ['init', '-q'], { cwd: root });
	write('test/harness/worker.ts', `import { pace } from '../support/pace.ts';\n`);
	write('test/support/pace.ts', 'export const pace = 1;\n');
	write('test/unit/room/one.test.ts', `import { one } from '../../../src/room/one.ts';\n`);
	write('test/unit/room/told.test.ts', `const page = '../../../docs/told.md';\n`);
	write('test/unit/room/looks.test.ts', `const folder = join(import.meta.dirname, '../../../src');\n`);
	write('test/unit/words.test.ts', `import { readFileSync } from 'node:fs';\n`);
	write('src/room/one.ts', `import type { Two } from './two.ts';\nimport { three } from './three.ts';\n`);
	write('src/room/two.ts', 'export interface Two {}\n');
	write('src/room/three.ts', 'export const three = 3;\n');
	write('src/room/four.ts', 'export const four = 4;\n');
	write('docs/told.md', '# Told\n');
	write('package.json', '{}\n');
	return { write };
}

const one = 'test/unit/room/one.test.ts';

suite('inputs of a test file', () => {
	let root = '';

	setup(() => (root = mkdtempSync(join(tmpdir(), 'forge-desk-reads-'))));
	teardown(() => rmSync(root, { recursive: true }));

	test('are its imports, its runner, and all files that are neither sources nor documents', () => {
		const { write } = repository(root);
		const before = hashesOfReads(root);
		const isSame = (file: string): boolean => hashesOfReads(root)(file) === before(file);
		write('src/room/two.ts', 'export interface Two { readonly at: number }\n');
		write('src/room/four.ts', 'export const four = 5;\n');
		write('docs/told.md', '# Told again\n');
		assert.deepEqual([isSame(one), isSame('test/unit/room/told.test.ts')], [true, false]);
		for (const path of ['src/room/three.ts', 'test/support/pace.ts', 'package.json', 'media/new.svg', one]) {
			const earlier = hashesOfReads(root)(one);
			write(path, `Changed: ${path}\n`);
			assert.notEqual(hashesOfReads(root)(one), earlier, path);
		}
	});

	test('change with the version of git', () => {
		repository(root);
		const before = hashesOfReads(root)(one);
		const [bin, path] = [join(root, '.git/bin'), process.env['PATH'] ?? ''];
		mkdirSync(bin);
		const script = `#!/bin/sh\nPATH='${path}'\n[ "$1" = --version ] && exec echo git version 3.0.0\nexec git "$@"\n`;
		writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
		process.env['PATH'] = `${bin}${delimiter}${path}`;
		try {
			assert.notEqual(hashesOfReads(root)(one), before);
		} finally {
			process.env['PATH'] = path;
		}
	});

	test('are unknown for a test that scans all sources', () => {
		repository(root);
		const reads = hashesOfReads(root);
		assert.deepEqual([reads('test/unit/room/looks.test.ts'), reads('test/unit/words.test.ts')], [undefined, undefined]);
	});
});

suite('known good test files', () => {
	const good = { file: one, passed: 3, skipped: 0, isGood: true };
	let folder = '';

	setup(() => (folder = mkdtempSync(join(tmpdir(), 'forge-desk-known-'))));
	teardown(() => rmSync(folder, { recursive: true }));

	test('are those that passed with the same inputs', () => {
		const path = join(folder, 'kept/known.jsonl');
		const all = [one, 'two', 'looks'];
		const reads = new Map([
			[one, 'a'],
			['two', 'b'],
		]);
		const open = (): ReturnType<typeof openKnownGood> => openKnownGood(path, (file) => reads.get(file));
		const first = open();
		assert.deepEqual(first.restOf(all), { rest: all, passed: 0 });
		first.keep(good);
		first.keep({ ...good, file: 'two', passed: 5 });
		first.keep({ ...good, file: 'looks' });
		assert.deepEqual(open().restOf(all), { rest: ['looks'], passed: 8 });
		reads.set('two', 'other');
		assert.deepEqual(open().restOf(all), { rest: ['two', 'looks'], passed: 3 });
		open().keep({ ...good, isGood: false });
		assert.deepEqual(open().restOf(all), { rest: all, passed: 0 });
	});

	test('store their inputs from the start of the run, despite later edits', () => {
		const path = join(folder, 'known.jsonl');
		let reads = 'before';
		const run = openKnownGood(path, () => reads);
		run.restOf([one]);
		reads = 'after';
		run.keep(good);
		assert.deepEqual(openKnownGood(path, () => reads).restOf([one]).rest, [one]);
	});

	test('are empty if their record has damage', () => {
		const path = join(folder, 'known.jsonl');
		openKnownGood(path, () => 'same').keep(good);
		appendFileSync(path, '{"file":"cut');
		assert.deepEqual(openKnownGood(path, () => 'same').restOf([one]).rest, [one]);
	});
});
