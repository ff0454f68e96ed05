import assert from 'node:assert/strict';
import { blobId } from 'patchmail/patch/blobId.ts';
import type { FilePlace } from 'patchmail/patch/patchChain.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { searchBudget, type SearchBudget } from '../../../../src/store/repositories/history/historyReads.ts';
import type { FileFinder } from '../../../../src/store/wholeFiles/fileFinder.ts';
import { wantedKey, type FoundFile, type Missing, type WantedFile } from '../../../../src/store/wholeFiles/preImage.ts';
import { seriesFiles, type SeriesFiles } from '../../../../src/store/wholeFiles/seriesFiles.ts';
import { editLine, numberedLines } from '../../../support/editedFile.ts';

const never = new AbortController().signal;

/** A finder with these contents that records its requests. */
interface FakeFinder extends FileFinder {
	readonly asked: (readonly WantedFile[])[];
	/** Contents in commits by path. */
	readonly commits: Map<string, string>;
	/** Contents that only the forge has, by id. */
	readonly byId: string[];
	/** Number of further searches. */
	further: number;
	/** Requests wanted per call, and requests spent in total. */
	costs: number;
	spent: number;
	/** Reason for files it does not find. */
	missing: Missing;
	/** Reason if the path has other content. */
	near: Missing;
	/** Runs before each response. */
	before: (signal: AbortSignal) => Promise<void>;
}

function fakeFinder(commits: readonly (readonly [string, string])[]): FakeFinder {
	const made: FakeFinder = {
		asked: [],
		commits: new Map(commits),
		byId: [],
		further: 0,
		missing: 'notThere',
		near: 'budget',
		costs: 0,
		spent: 0,
		before: async () => undefined,
		begin(how) {
			made.further += how === 'further' ? 1 : 0;
			return searchBudget(how === 'further' ? 600 : 60);
		},
		async find(wanted, budget, signal) {
			made.asked.push(wanted);
			made.spent += spendUpTo(made.costs, budget, signal);
			await made.before(signal);
			signal.throwIfAborted();
			return new Map(wanted.map((each) => [wantedKey(each), foundOf(made, each)]));
		},
	};
	return made;
}

function spendUpTo(most: number, budget: SearchBudget, signal: AbortSignal): number {
	const count = Math.min(most, budget.left());
	Array.from({ length: count }).forEach(() => budget.spend(signal));
	return count;
}

function foundOf({ commits, byId, missing, near }: FakeFinder, { path, id = '-', isInLog }: WantedFile): FoundFile {
	const stated = byId.find((content) => blobId(content).startsWith(id));
	const there = isInLog ? commits.get(path) : undefined;
	if (stated !== undefined || (there !== undefined && blobId(there).startsWith(id))) {
		return { kind: 'exact', content: Buffer.from(stated ?? there ?? ''), origin: stated === undefined ? 'log' : 'id' };
	}
	return there === undefined
		? { kind: 'none', missing }
		: { kind: 'near', content: Buffer.from(there), commit: 'c', missing: near };
}

function filesOf(finder: FileFinder, ...patches: readonly string[]): SeriesFiles {
	const texts = patches.map((diffText) => ({ diff: parseDiff(diffText), diffText }));
	return seriesFiles(texts, finder, async () => undefined, never);
}

async function told(files: Pick<SeriesFiles, 'file'>, place: string): Promise<string> {
	const [patch = 0, file = 0] = place.split('.').map(Number);
	const found = await files.file({ patch, file }, never);
	assert.ok(found, place);
	const { whole, origin, missing } = found;
	const how = whole.kind === 'applied' ? ` ${whole.doubt}` : whole.kind === 'hunksOnly' ? ` ${whole.reason}` : '';
	return `${whole.kind}${how}, ${origin ?? 'nowhere'}${missing === undefined ? '' : `, ${missing}`}`;
}

async function after(files: SeriesFiles, place: string): Promise<string> {
	const [patch = 0, file = 0] = place.split('.').map(Number);
	const whole = (await files.file({ patch, file }, never))?.whole;
	assert.ok(whole && whole.kind !== 'hunksOnly' && whole.after);
	return Buffer.from(whole.after).toString();
}

const a = numberedLines('a');
const b = numberedLines('b');

suite('files of a series', () => {
	test('share one budget per file, regardless of unresolved earlier patches', async () => {
		let text = a;
		const patches = Array.from({ length: 4 }, (_, at) => {
			const patch = editLine('a', text, 10 + at, `changed ${at}`);
			text = patch.after;
			return patch.diff;
		});
		const finder = fakeFinder([]);
		finder.costs = 25;
		const files = filesOf(finder, ...patches);
		assert.match(await told(files, '3.0'), /^hunksOnly/);
		assert.deepEqual([finder.asked.length, finder.spent], [4, 60]);
		finder.costs = 60;
		assert.match(await told(files.look('further'), '0.0'), /^hunksOnly/);
		assert.equal(finder.spent, 120, 'the next look has a budget of its own');
	});

	/** `count` patches that change both files in sequence; no content exists anywhere. */
	function lostSeries(count: number): { readonly diffs: readonly string[]; readonly places: readonly FilePlace[] } {
		const texts = new Map([
			['a', a],
			['b', b],
		]);
		const diffs = Array.from({ length: count }, (_, at) =>
			Array.from(texts, ([name, text]) => {
				const edit = editLine(name, text, 10 + at, `changed ${at}`);
				texts.set(name, edit.after);
				return edit.diff;
			}).join(''),
		);
		return { diffs, places: diffs.flatMap((_, patch) => [0, 1].map((file) => ({ patch, file }))) };
	}

	test('share one budget per look', async () => {
		for (const isPrepared of [true, false]) {
			const { diffs, places } = lostSeries(6);
			const finder = fakeFinder([]);
			finder.costs = 25;
			const look = filesOf(finder, ...diffs).look('first');
			await (isPrepared ? look.prepare(places, never) : undefined);
			for (const place of places) {
				await look.file(place, never);
			}
			assert.equal(finder.spent, 60);
		}
	});

	test('share one budget for all documents that show them again', async () => {
		const { diffs, places } = lostSeries(6);
		const finder = fakeFinder([]);
		finder.costs = 25;
		const files = filesOf(finder, ...diffs);
		for (const place of places) {
			await files.file(place, never);
		}
		assert.equal(finder.spent, 60);
	});

	test('are searched further only if the previous look exhausted its budget', async () => {
		const finder = fakeFinder([['b', b]]);
		finder.missing = 'budget';
		finder.costs = 60;
		const files = filesOf(finder, editLine('a', a, 10, 'ten').diff + editLine('b', b, 10, 'ten').diff);
		const first = files.look('first');
		await first.prepare(
			[0, 1].map((file) => ({ patch: 0, file })),
			never,
		);
		assert.equal(await told(first, '0.0'), 'hunksOnly notFound, nowhere, budget');
		assert.equal(await told(files, '0.0'), 'hunksOnly notFound, nowhere, budget');
		assert.deepEqual([finder.asked.length, finder.spent], [1, 60], 'neither the look itself nor a document goes on');
		finder.commits.set('a', a);
		const second = files.look('first');
		assert.equal(await told(second, '0.1'), 'verified, log');
		assert.equal(await told(second, '0.0'), 'verified, log');
		assert.deepEqual([finder.asked.length, finder.spent, finder.further], [2, 120, 0]);
		assert.deepEqual(
			finder.asked[1]?.map(({ path }) => path),
			['a'],
		);
	});

	test('are searched only with the files they build on', async () => {
		const one = [editLine('a', a, 10, 'ten'), editLine('b', b, 10, 'ten')];
		const two = [editLine('a', one[0]!.after, 20, 'twenty'), editLine('c', numberedLines('c'), 20, 'twenty')];
		const finder = fakeFinder([]);
		const files = filesOf(finder, ...[one, two].map((each) => each.map(({ diff }) => diff).join('')));
		await files.look('first').prepare(
			[0, 1].map((file) => ({ patch: 1, file })),
			never,
		);
		assert.deepEqual(
			finder.asked.map((each) => each.map(({ path }) => path)),
			[['a', 'c']],
		);
	});

	test('are rebuilt when content for an earlier patch is found', async () => {
		const one = editLine('a', a, 10, 'ten');
		const two = editLine('a', one.after, 20, 'twenty');
		const finder = fakeFinder([]);
		finder.missing = 'failed';
		const files = filesOf(finder, one.diff, two.diff);
		assert.match(await told(files, '0.0'), /^hunksOnly notFound, nowhere, failed/);
		finder.missing = 'notThere';
		assert.equal(await told(files, '1.0'), 'hunksOnly notFound, nowhere, notThere');
		finder.commits.set('a', a);
		assert.equal(await told(files.look('first'), '1.0'), 'verified, series');
	});

	test('use the results of a later look, even after an earlier one gave up', async () => {
		const one = editLine('a', a, 10, 'ten');
		const two = editLine('a', one.after, 20, 'twenty');
		const finder = fakeFinder([]);
		finder.missing = 'budget';
		finder.costs = 60;
		const taken = Promise.withResolvers<void>();
		const waiting = Promise.withResolvers<void>();
		finder.before = () => {
			taken.resolve();
			return waiting.promise;
		};
		const files = filesOf(finder, one.diff, two.diff);
		const early = told(files.look('first'), '1.0');
		await taken.promise;
		const late = files.look('first');
		const prepared = late.prepare([{ patch: 1, file: 0 }], never);
		finder.before = async () => void finder.commits.set('a', a);
		waiting.resolve();
		await Promise.all([early, prepared]);
		assert.equal(await told(late, '1.0'), 'verified, series');
		assert.equal(await told(files, '0.0'), 'verified, log');
	});

	test('build on the earlier patches, in any order of reads', async () => {
		const one = editLine('a', a, 10, 'ten');
		const two = editLine('a', one.after, 20, 'twenty', 'moved');
		const three = editLine('moved', two.after, 30, 'thirty');
		for (const order of [
			['2.0', '1.0', '0.0'],
			['0.0', '1.0', '2.0'],
		]) {
			const finder = fakeFinder([['a', a]]);
			const files = filesOf(finder, one.diff, two.diff, three.diff);
			for (const place of order) {
				assert.equal(await told(files, place), place === '0.0' ? 'verified, log' : 'verified, series');
			}
			assert.equal(await after(files, '2.0'), three.after);
			assert.deepEqual(finder.asked, [[{ path: 'a', id: blobId(a).slice(0, 7), isInLog: true }]]);
			const places = [0, 1, 2].map((patch) => ({ patch, file: 0 }));
			assert.deepEqual(files.spans, [{ first: places[0], last: places[2], places }]);
		}
	});

	test('are searched together for several callers, and never again', async () => {
		const one = [editLine('a', a, 10, 'ten'), editLine('b', b, 10, 'ten')];
		const two = editLine('a', one[0]!.after, 20, 'twenty');
		const finder = fakeFinder([
			['a', a],
			['b', b],
		]);
		const files = filesOf(finder, one.map(({ diff }) => diff).join(''), two.diff);
		const places = [
			{ patch: 0, file: 0 },
			{ patch: 0, file: 1 },
			{ patch: 1, file: 0 },
		];
		await files.look('first').prepare(places, never);
		assert.equal(finder.asked.length, 1);
		assert.equal(finder.asked[0]?.length, 2);
		for (const place of ['0.0', '0.1', '1.0']) {
			assert.match(await told(files, place), /^verified/);
		}
		await files.look('first').prepare(places, never);
		assert.equal(finder.asked.length, 1);
	});

	test('survive a damaged patch, except for later changes of the same file', async () => {
		const one = [editLine('a', a, 10, 'ten'), editLine('b', b, 10, 'ten')];
		const two = [editLine('a', one[0]!.after, 20, 'twenty'), editLine('b', one[1]!.after, 20, 'twenty')];
		const damaged = one[0]!.diff.replace('+ten\n', '+t\nen\n') + one[1]!.diff;
		const finder = fakeFinder([
			['a', a],
			['b', b],
		]);
		const files = filesOf(finder, damaged, two.map(({ diff }) => diff).join(''));
		assert.equal(await told(files, '0.0'), 'hunksOnly damaged, nowhere');
		assert.equal(await told(files, '1.0'), 'hunksOnly notFound, nowhere, notThere');
		assert.equal(await told(files, '0.1'), 'verified, log');
		assert.equal(await told(files, '1.1'), 'verified, series');
		assert.ok(finder.asked.flat().every(({ path, isInLog }) => isInLog || path === 'a'));
	});

	test('resume after a damaged patch if the forge has the content by id', async () => {
		const one = editLine('a', a, 10, 'ten');
		const two = editLine('a', one.after, 20, 'twenty');
		const finder = fakeFinder([]);
		finder.byId.push(one.after);
		const files = filesOf(finder, one.diff.replace('+ten\n', '+t\nen\n'), two.diff);
		assert.equal(await told(files, '1.0'), 'verified, id');
	});

	test('are searched in commits if the ids reveal a missing patch', async () => {
		const one = editLine('a', a, 10, 'ten');
		const other = editLine('a', numberedLines('a', 50), 20, 'twenty');
		const finder = fakeFinder([['a', a]]);
		finder.byId.push(numberedLines('a', 50));
		const files = filesOf(finder, one.diff, other.diff);
		assert.equal(await told(files, '1.0'), 'verified, id');
		assert.deepEqual(
			finder.asked.flat().map(({ isInLog }) => isInLog),
			[true, true],
		);
	});

	test('are searched in one look with everything they build on', async () => {
		const edits = [a];
		const diffs = [10, 15, 20, 25, 30].map((line) => {
			const edit = editLine('a', edits.at(-1) ?? '', line, `line ${line}`);
			edits.push(edit.after);
			return edit.diff;
		});
		// Every second patch is missing.
		const finder = fakeFinder([['a', a]]);
		const files = filesOf(finder, ...diffs.filter((_, at) => at % 2 === 0));
		await told(files, '2.0');
		assert.deepEqual(
			finder.asked.map((each) => each.map(({ id }) => id)),
			[[0, 2, 4].map((at) => blobId(edits[at] ?? '').slice(0, 7))],
		);
	});

	test('fall back to the file at the path, and report that in every later patch', async () => {
		const one = editLine('a', a, 10, 'ten');
		const two = editLine('a', one.after, 20, 'twenty');
		const there = a.replace('a 40\n', 'other\n');
		const files = filesOf(fakeFinder([['a', there]]), one.diff, two.diff);
		assert.equal(await told(files, '0.0'), 'applied otherBefore, near, budget');
		assert.equal(await told(files, '1.0'), 'applied otherBefore, series, notThere');
		assert.equal(await after(files, '1.0'), two.after.replace('a 40\n', 'other\n'));
	});

	test('are searched again only on demand', async () => {
		const one = editLine('a', a, 10, 'ten');
		const finder = fakeFinder([]);
		const files = filesOf(finder, one.diff);
		assert.equal(await told(files, '0.0'), 'hunksOnly notFound, nowhere, notThere');
		finder.commits.set('a', a);
		assert.equal(await told(files, '0.0'), 'hunksOnly notFound, nowhere, notThere');
		assert.equal(await told(files.look('first'), '0.0'), 'hunksOnly notFound, nowhere, notThere');
		assert.equal(finder.asked.length, 1);
		const further = files.look('further');
		assert.equal(finder.further, 1);
		assert.equal(await told(further, '0.0'), 'verified, log');
	});

	test('are searched again only after a failure of the forge', async () => {
		const finder = fakeFinder([]);
		finder.missing = 'failed';
		const files = filesOf(finder, editLine('a', a, 10, 'ten').diff);
		assert.equal(await told(files, '0.0'), 'hunksOnly notFound, nowhere, failed');
		finder.missing = 'notThere';
		assert.equal(await told(files, '0.0'), 'hunksOnly notFound, nowhere, failed');
		assert.equal(await told(files.look('first'), '0.0'), 'hunksOnly notFound, nowhere, notThere');
		finder.commits.set('a', a);
		assert.equal(await told(files.look('first'), '0.0'), 'hunksOnly notFound, nowhere, notThere');
	});

	test('share one concurrent look, and a leaving caller ends it for no one else', async () => {
		const patches = [editLine('a', a, 10, 'ten'), editLine('b', b, 10, 'ten')];
		const finder = fakeFinder([
			['a', a],
			['b', b],
		]);
		const waiting = Promise.withResolvers<void>();
		finder.before = () => waiting.promise;
		const files = filesOf(finder, patches.map(({ diff }) => diff).join(''));
		const leaving = new AbortController();
		const left = files.file({ patch: 0, file: 0 }, leaving.signal);
		const stays = told(files, '0.1');
		leaving.abort();
		await assert.rejects(left, { name: 'AbortError' });
		waiting.resolve();
		assert.equal(await stays, 'verified, log');
		assert.equal(await told(files, '0.0'), 'verified, log');
		assert.ok(finder.asked.length <= 2);
	});

	test('are not searched twice at the same time', async () => {
		const one = editLine('a', a, 10, 'ten', 'moved');
		const copied = one.diff.replace('rename from', 'copy from').replace('rename to', 'copy to');
		const finder = fakeFinder([['a', b]]);
		finder.near = 'notThere';
		const taken = Promise.withResolvers<void>();
		const waiting = Promise.withResolvers<void>();
		finder.before = () => {
			taken.resolve();
			return waiting.promise;
		};
		const files = filesOf(finder, copied + editLine('a', a, 20, 'twenty').diff);
		const both = [told(files, '0.0')];
		await taken.promise;
		both.push(told(files, '0.1'));
		waiting.resolve();
		await Promise.all(both);
		assert.equal(finder.asked.flat().length, 1);
	});

	test('are found after every earlier caller left', async () => {
		const finder = fakeFinder([['a', a]]);
		finder.before = (signal) =>
			new Promise((resolve) => {
				signal.addEventListener('abort', () => resolve());
			});
		const files = filesOf(finder, editLine('a', a, 10, 'ten').diff);
		const leaving = new AbortController();
		const left = files.file({ patch: 0, file: 0 }, leaving.signal);
		leaving.abort();
		await assert.rejects(left, { name: 'AbortError' });
		finder.before = async () => undefined;
		assert.equal(await told(files, '0.0'), 'verified, log');
	});

	test('that are new, deleted or missing need no request', async () => {
		const text = `diff --git a/n b/n\nnew file mode 100644\nindex 0000000..${blobId('x\n').slice(0, 7)}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n`;
		const finder = fakeFinder([]);
		const files = filesOf(finder, text);
		assert.equal(await told(files, '0.0'), 'verified, nowhere');
		assert.equal(await files.file({ patch: 0, file: 1 }, never), undefined);
		assert.equal(await files.file({ patch: 7, file: 0 }, never), undefined);
		await files.look('first').prepare([{ patch: 0, file: 0 }], never);
		assert.deepEqual(finder.asked, []);
	});

	test('support thousands of patches', async () => {
		const diffs: string[] = [];
		let text = a;
		for (let patch = 0; patch < 3000; patch += 1) {
			const edit = editLine('a', text, 10, `turn ${patch}`);
			diffs.push(edit.diff);
			text = edit.after;
		}
		const files = filesOf(fakeFinder([['a', a]]), ...diffs);
		assert.equal(await told(files, '2999.0'), 'verified, series');
	});
});
