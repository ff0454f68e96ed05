import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { abortReason } from '@forge-desk/base/abort.ts';
import type { Tree, TreeEntry } from 'sourcehut/port/repository.ts';
import { isSafeName } from '../../../../src/store/repositories/repositoryEntries.ts';
import { walkTree, type WalkLimits, type WalkStep } from '../../../../src/store/repositories/repositoryWalk.ts';
import { counts, seed } from '../../../support/counts.ts';

const wide: WalkLimits = { depth: 64, entries: 100_000, inFlight: 8 };
const never = new AbortController().signal;

function tree(id: string, entries: readonly TreeEntry[]): Tree {
	return { id, shortId: id, entries };
}

function folder(name: string, id = name): TreeEntry {
	return { name, id, type: 'tree', mode: 0o040000 };
}

function file(name: string): TreeEntry {
	return { name, id: 'f', type: 'blob', mode: 0o100644 };
}

interface Walked {
	readonly files: readonly string[];
	readonly leftOut: readonly string[];
	readonly most: number;
	readonly reads: number;
}

async function walked(trees: Readonly<Record<string, Tree>>, limits = wide): Promise<Walked> {
	let running = 0;
	let most = 0;
	let reads = 0;
	const read = async (id: string): Promise<Tree> => {
		reads += 1;
		running += 1;
		most = Math.max(most, running);
		await new Promise((resolve) => void setImmediate(resolve));
		running -= 1;
		return trees[id] ?? tree(id, []);
	};
	const steps: WalkStep[] = [];
	for await (const step of walkTree({ path: '', tree: trees['root']! }, read, limits, never)) {
		steps.push(step);
	}
	return {
		files: steps.flatMap((step) =>
			step.kind === 'folder' ? step.entries.map(({ name }) => `${step.path}/${name}`) : [],
		),
		leftOut: steps.flatMap((step) => (step.kind === 'leftOut' ? [step.why] : [])),
		most,
		reads,
	};
}

suite('tree walk', () => {
	test('aborts pending reads when completed ones exceed the limit, however slow the reader', async () => {
		const names = Array.from({ length: 20 }, (_, at) => `d${at}`);
		const start = {
			path: '',
			tree: tree(
				'root',
				names.map((name) => folder(name)),
			),
		};
		const files = Array.from({ length: 30 }, (_, at) => file(`f${at}`));
		const calls: { readonly arrive: () => void; readonly signal: AbortSignal }[] = [];
		const read = (id: string, signal: AbortSignal): Promise<Tree> =>
			new Promise((resolve, reject) => {
				calls.push({ arrive: () => resolve(tree(id, files)), signal });
				signal.addEventListener('abort', () => reject(abortReason(signal)));
			});
		const steps = walkTree(start, read, { depth: 64, entries: 100, inFlight: 8 }, never);
		await steps.next();
		const second = steps.next();
		calls[0]?.arrive();
		// The second step is out, and the third one has no reader yet.
		await second;
		assert.equal(calls.length, 9);
		calls[1]?.arrive();
		await new Promise(setImmediate);
		assert.ok(!calls[8]?.signal.aborted, 'there is still room');
		calls[2]?.arrive();
		await new Promise(setImmediate);
		assert.ok(calls[8]?.signal.aborted, 'given up before anybody asks');
		const rest: WalkStep[] = [];
		for await (const step of steps) {
			rest.push(step);
		}
		assert.deepEqual(
			rest.map((step) => (step.kind === 'folder' ? step.entries.length : step.why)),
			[30, 20, 'tooMany'],
		);
		assert.equal(calls.length, 9);
	});

	test('visits everything once within the limit of concurrent requests', async () => {
		const names = Array.from({ length: 40 }, (_, at) => `d${at}`);
		const trees = {
			root: tree('root', [...names.map((name) => folder(name)), file('a')]),
			...Object.fromEntries(names.map((name) => [name, tree(name, [file('x'), folder('y', `${name}y`)])])),
			...Object.fromEntries(names.map((name) => [`${name}y`, tree(`${name}y`, [file('z')])])),
		};
		const { files, leftOut, most, reads } = await walked(trees);
		assert.equal(new Set(files).size, 41 + 40 * 2 + 40);
		assert.equal(files.length, new Set(files).size);
		assert.ok(files.includes('d7/y/z'));
		assert.deepEqual([leftOut, most, reads], [[], 8, 80]);
	});

	test('stops at the depth limit and says so, while the rest continues', async () => {
		const trees = { root: tree('root', [folder('loop', 'root'), file('a')]) };
		const { files, leftOut } = await walked(trees, { ...wide, depth: 5 });
		assert.deepEqual(leftOut, ['tooDeep']);
		assert.equal(files.filter((path) => path.endsWith('/a')).length, 6);
	});

	test('stops at the entry limit and says so', async () => {
		const many = Array.from({ length: 30 }, (_, at) => file(`f${at}`));
		const cut = await walked({ root: tree('root', many) }, { ...wide, entries: 20 });
		assert.deepEqual([cut.files.length, cut.leftOut], [20, ['tooMany']]);
		const exact = await walked({ root: tree('root', many) }, { ...wide, entries: 30 });
		assert.deepEqual([exact.files.length, exact.leftOut], [30, []]);
	});

	test('ends at the entry limit in a recursive tree', async () => {
		const ten = Array.from({ length: 10 }, (_, at) => folder(`d${at}`, 'root'));
		const { files, leftOut } = await walked({ root: tree('root', ten) }, { ...wide, entries: 500 });
		assert.deepEqual([files.length, leftOut], [500, ['tooMany']]);
	});

	test('counts unusable entries too', async () => {
		const junk = Array.from({ length: 50 }, () => file('..'));
		const trees = { root: tree('root', [...junk, folder('again', 'root')]) };
		const { files, leftOut, reads } = await walked(trees, { ...wide, entries: 200 });
		assert.deepEqual([files.length, leftOut, reads], [3, ['tooMany'], 3]);
	});

	test('lists links and submodules without following them', async () => {
		const entries = [
			{ name: 'link', id: 'root', type: 'blob', mode: 0o120000 },
			{ name: 'module', id: 'root', type: 'commit', mode: 0o160000 },
		] as const;
		const { files, reads } = await walked({ root: tree('root', entries) });
		assert.deepEqual([files, reads], [['/link', '/module'], 0]);
	});

	test('fails with the first unreadable tree and aborts the other reads', async () => {
		let given = 0;
		const read = (id: string, signal: AbortSignal): Promise<Tree> =>
			id === 'd3'
				? Promise.reject(new Error('broken'))
				: new Promise((_, reject) => {
						signal.addEventListener('abort', () => {
							given += 1;
							reject(new DOMException('', 'AbortError'));
						});
					});
		const entries = Array.from({ length: 6 }, (_, at) => folder(`d${at}`));
		const walk = walkTree({ path: '', tree: tree('root', entries) }, read, wide, never);
		await walk.next();
		await assert.rejects(walk.next(), /broken/);
		assert.equal(given, 5);
	});

	test('ends immediately after an abort', async () => {
		const abort = new AbortController();
		const read = (_: string, signal: AbortSignal): Promise<Tree> =>
			new Promise((_resolve, reject) => {
				signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
			});
		const walk = walkTree({ path: '', tree: tree('root', [folder('d')]) }, read, wide, abort.signal);
		await walk.next();
		const next = walk.next();
		abort.abort();
		await assert.rejects(next, { name: 'AbortError' });
	});

	test('never visits a path outside its root', async function () {
		this.timeout(30_000);
		const hostile = fc.oneof(
			fc.constantFrom('.', '..', '', '.git', '.GIT', 'a/b', 'a\\b', 'a\0', '/', '\uD800', 'ok', 'ok'),
			fc.string({ unit: 'binary', maxLength: 6 }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(hostile, { maxLength: 12 }), async (names) => {
				const entries = names.map((name, at) => (at % 3 === 0 ? folder(name, 'leaf') : file(name)));
				const { files } = await walked({ root: tree('root', entries), leaf: tree('leaf', [file('x'), file('..')]) });
				assert.equal(new Set(files).size, files.length);
				for (const path of files) {
					const steps = path.replace(/^\//, '').split('/');
					assert.ok(steps.every(isSafeName), path);
				}
			}),
			{ numRuns: counts({ small: 200, full: 20_000 }), seed: seed() },
		);
	});
});
