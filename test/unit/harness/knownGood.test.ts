import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { openKnownGood, outcomesToKeep } from '../../harness/knownGood.ts';
import type { StageResult } from '../../harness/stages.ts';
import { hashesOfReads } from '../../harness/testReads.ts';

const texts: Readonly<Record<string, string>> = {
	'test/harness/worker.ts': `import { pace } from '../support/pace.ts';\n`,
	'test/harness/report.ts': 'export const report = 1;\n',
	'test/harness/places.ts': `export const root = join(import.meta.dirname, '../..');\n`,
	'test/support/pace.ts': 'export const pace = 1;\n',
	'test/support/forge.ts': `join(import.meta.dirname, '../../packages/sample-forge/testing/main.ts');\n`,
	'test/corpus/mail.txt': 'From: a@b\n',
	'test/unit/room/one.test.ts': `import { one } from '../../../src/room/one.ts';\n`,
	'test/unit/room/told.test.ts': `readFileSync(join(import.meta.dirname, '../../..', 'docs/told.md'));\n`,
	'test/unit/room/named.test.ts': `readFileSync('docs/told.md');\njoin(import.meta.dirname, '../../corpus', name);\n`,
	'test/unit/room/looks.test.ts': `const folder = join(import.meta.dirname, '../../../src');\n`,
	'test/unit/room/works.test.ts': `spawnSync('git', ['log'], { cwd: process.cwd() });\n`,
	'test/unit/room/past.test.ts': `import { root } from '../../harness/places.ts';\ngitIn(root, ['log']);\n`,
	'test/unit/words.test.ts': `import { readFileSync } from 'node:fs';\n`,
	'test/contract/one.contract.test.ts': `import { start } from '../support/forge.ts';\n`,
	'test/page/one.test.ts': `import { pages } from '../../esbuild.mjs';\n`,
	'test/ui/one.test.ts': `import { test } from '../support/pace.ts';\n`,
	'test/editor/one.test.ts': 'test();\n',
	'test/editor/two.test.ts': 'test();\n',
	'test/bundle/one.test.ts': 'test();\n',
	'src/room/one.ts': `import type { Two } from './two.ts';\nimport { three } from './three.ts';\n`,
	'src/room/two.ts': 'export interface Two {}\n',
	'src/room/three.ts': 'export const three = 3;\n',
	'src/room/four.ts': 'export const four = 4;\n',
	'src/pages/one/main.ts': `import { part } from './part.ts';\n`,
	'src/pages/one/part.ts': 'export const part = 1;\n',
	'packages/sample-forge/testing/main.ts': `import { world } from '../src/world.ts';\n`,
	'packages/sample-forge/src/world.ts': 'export const world = 1;\n',
	'docs/told.md': '# Told\n',
	'media/icon.svg': '<svg/>\n',
	'package-lock.json': '{}\n',
};
const one = 'test/unit/room/one.test.ts';
/** Known by their inputs. */
const ordinary = [
	one,
	'test/unit/room/told.test.ts',
	'test/unit/room/named.test.ts',
	'test/contract/one.contract.test.ts',
	'test/page/one.test.ts',
];
/** They find the repository's folder, so they may read any file. */
const curious = ['looks', 'works', 'past'].map((name) => `test/unit/room/${name}.test.ts`);
const editorTests = ['test/editor/one.test.ts', 'test/editor/two.test.ts'];
const inEditor = [...editorTests, 'test/ui/one.test.ts'];
const all = [...ordinary, ...curious, ...inEditor];

/** By changed path, the test files that run again, apart from the curious ones. */
const changes: Readonly<Record<string, readonly string[]>> = {
	[one]: [one],
	'src/room/three.ts': [one, ...inEditor],
	'src/room/two.ts': inEditor,
	'src/room/four.ts': inEditor,
	'src/pages/one/main.ts': ['test/page/one.test.ts', ...inEditor],
	'src/pages/one/part.ts': ['test/page/one.test.ts', ...inEditor],
	'packages/sample-forge/src/world.ts': ['test/contract/one.contract.test.ts', ...inEditor],
	'packages/sample-forge/testing/main.ts': ['test/contract/one.contract.test.ts'],
	'test/support/forge.ts': ['test/contract/one.contract.test.ts'],
	'test/support/pace.ts': [...ordinary, ...inEditor],
	'test/editor/two.test.ts': editorTests,
	'docs/told.md': ['test/unit/room/told.test.ts', 'test/unit/room/named.test.ts', ...inEditor],
	'docs/new.md': ['test/unit/room/told.test.ts', 'test/unit/room/named.test.ts', ...inEditor],
	'test/harness/report.ts': [...ordinary, ...inEditor],
	'test/corpus/mail.txt': [...ordinary, ...inEditor],
	'media/icon.svg': [...ordinary, ...inEditor],
	'media/new.svg': [...ordinary, ...inEditor],
	'package-lock.json': [...ordinary, ...inEditor],
};

/** A repository with tests of every ring, their sources, and other files. */
function repository(root: string): { readonly write: (path: string, text: string) => void } {
	const write = (path: string, text: string): void => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	};
	execFileSync('git', ['init', '-q'], { cwd: root });
	Object.entries(texts).forEach(([path, text]) => write(path, text));
	return { write };
}

function withVariable(name: string, value: string, work: () => void): void {
	const before = process.env[name];
	process.env[name] = value;
	try {
		work();
	} finally {
		if (before === undefined) {
			delete process.env[name];
		} else {
			process.env[name] = before;
		}
	}
}

suite('inputs of a test file', () => {
	let root = '';

	setup(() => (root = mkdtempSync(join(tmpdir(), 'forge-desk-reads-'))));
	teardown(() => rmSync(root, { recursive: true }));

	const changedSince = (before: (file: string) => string | undefined): readonly string[] => {
		const after = hashesOfReads(root);
		return all.filter((file) => after(file) !== before(file));
	};

	test('are the same without a change', () => {
		repository(root);
		assert.deepEqual(changedSince(hashesOfReads(root)), []);
	});

	for (const [path, runAgain] of Object.entries(changes)) {
		test(`a change of ${path} runs the tests that depend on it`, () => {
			const { write } = repository(root);
			const before = hashesOfReads(root);
			write(path, `${texts[path] ?? ''}// changed\n`);
			assert.deepEqual(
				changedSince(before),
				all.filter((file) => runAgain.includes(file) || curious.includes(file)),
			);
		});
	}

	test('a new commit runs the tests that may read the history', () => {
		repository(root);
		const git = (...args: readonly string[]): void =>
			void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root });
		git('commit', '-q', '--allow-empty', '-m', 'first');
		const before = hashesOfReads(root);
		git('commit', '-q', '--allow-empty', '-m', 'second');
		assert.deepEqual(changedSince(before), curious);
	});

	for (const name of ['FORGE_DESK_SEED', 'TZ', 'GIT_CONFIG_GLOBAL', 'VSCODE_VERSION']) {
		test(`a change of ${name} runs all tests`, () => {
			repository(root);
			const before = hashesOfReads(root);
			withVariable(name, 'other', () => assert.deepEqual(changedSince(before), all));
		});
	}

	test('are unknown for tests that scan all sources, tests of the package, and an editor that may be newer', () => {
		repository(root);
		const reads = hashesOfReads(root);
		assert.deepEqual([reads('test/unit/words.test.ts'), reads('test/bundle/one.test.ts')], [undefined, undefined]);
		assert.equal(typeof reads('test/editor/one.test.ts'), 'string');
		withVariable('DISPLAY', ':0', () => assert.equal(reads('test/editor/one.test.ts'), undefined));
		assert.equal(reads('test/unit/gone.test.ts'), undefined);
	});

	test('change with the version of git', () => {
		repository(root);
		const before = hashesOfReads(root)(one);
		const [bin, path] = [join(root, '.git/bin'), process.env['PATH'] ?? ''];
		mkdirSync(bin);
		const script = `#!/bin/sh\nPATH='${path}'\n[ "$1" = --version ] && exec echo git version 3.0.0\nexec git "$@"\n`;
		writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
		withVariable('PATH', `${bin}${delimiter}${path}`, () => assert.notEqual(hashesOfReads(root)(one), before));
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
		assert.deepEqual(first.restOf(all, false), { rest: all, skipped: 0, passed: 0 });
		first.keep(good);
		first.keep({ ...good, file: 'two', passed: 5 });
		first.keep({ ...good, file: 'looks' });
		assert.deepEqual(open().restOf(all, false), { rest: ['looks'], skipped: 2, passed: 8 });
		reads.set('two', 'other');
		assert.deepEqual(open().restOf(all, false), { rest: ['two', 'looks'], skipped: 1, passed: 3 });
		open().keep({ ...good, isGood: false });
		assert.deepEqual(open().restOf(all, false), { rest: all, skipped: 0, passed: 0 });
	});

	test('store their inputs from the start of the run, despite later edits', () => {
		const path = join(folder, 'known.jsonl');
		let reads = 'before';
		const run = openKnownGood(path, () => reads);
		run.restOf([one], false);
		reads = 'after';
		run.keep(good);
		assert.deepEqual(openKnownGood(path, () => reads).restOf([one], false).rest, [one]);
	});

	test('are empty if their record has damage', () => {
		const path = join(folder, 'known.jsonl');
		openKnownGood(path, () => 'same').keep(good);
		appendFileSync(path, '{"file":"cut');
		assert.deepEqual(openKnownGood(path, () => 'same').restOf([one], false).rest, [one]);
	});

	test('run again on request, and count none as skipped', () => {
		const path = join(folder, 'known.jsonl');
		openKnownGood(path, () => 'same').keep(good);
		assert.deepEqual(openKnownGood(path, () => 'same').restOf([one], true), { rest: [one], skipped: 0, passed: 0 });
	});

	test('count after a green run only, or one by one for quick feedback', () => {
		const bad = { file: 'two', passed: 0, skipped: 0, isGood: false };
		const stage = (name: string, more: Partial<StageResult>): StageResult => ({ name, ms: 1, cpuMs: 1, ...more });
		const rest = new Map([
			['unit', [one, 'two']],
			['editor', ['three', 'four']],
		]);
		const kept = (keeps: 'green files' | 'green runs', ...results: readonly StageResult[]): unknown =>
			outcomesToKeep(results, (ring) => rest.get(ring) ?? [], keeps);
		const two = { ...good, file: 'two' };
		const green = stage('unit', { files: [good, two] });
		assert.deepEqual(kept('green runs', green, stage('lint', {})), [good, two]);
		assert.deepEqual(kept('green runs', green, stage('lint', { problem: 'a warning' })), []);
		assert.deepEqual(kept('green files', green), []);
		for (const keeps of ['green files', 'green runs'] as const) {
			assert.deepEqual(kept(keeps, stage('unit', { problem: '1 failed', files: [good, bad] })), [bad]);
			// A file whose process was lost has no result.
			assert.deepEqual(kept(keeps, stage('unit', { problem: '1 failed', files: [good] })), [bad]);
			assert.deepEqual(kept(keeps, stage('unit', { problem: 'processes were left behind' })), [
				{ ...bad, file: one },
				bad,
			]);
		}
		const together = { skipped: 0, passed: 0, isGood: true };
		assert.deepEqual(kept('green runs', stage('editor', {})), [
			{ ...together, file: 'three' },
			{ ...together, file: 'four' },
		]);
	});
});
