import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fake } from '../../../../support/fake.ts';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckOutcome } from '../../../../../src/features/lists/checks/checkTexts.ts';
import type { CheckedPatch } from '../../../../../src/features/lists/checks/patchsetChecks.ts';
import { filesAtCommit } from 'hardened-git/filesAtCommit.ts';
import { filesAtCommit as filesOfForge } from '../../../../../src/store/wholeFiles/filesAtCommit.ts';
import { searchBudget } from '../../../../../src/store/repositories/history/historyReads.ts';
import type { RepositoryStore } from '../../../../../src/store/repositories/repositoryStore.ts';
import type { Tree } from 'sourcehut/port/repository.ts';
import { treeOfBytes } from 'patchmail/git/treeBytes.ts';
import type { FileThere } from 'patchmail/patch/tryFile.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { trySeries, type PatchVerdict } from 'patchmail/patch/trySeries.ts';
import { createRandom, type Random } from '../../../../support/random.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { addSettings } from '../../../../support/gitSettings.ts';
import { importCommits, type WantedCommit, type WantedFile } from '../../../../support/importCommits.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { madeOnce } from '../../../../support/madeOnce.ts';
import { testInBoth, testInRest } from '../../../../support/parts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { allObjects } from '../../../../support/storedObjects.ts';

const { outcomeOf } = await import('../../../../../src/features/lists/checks/checkTexts.ts');

const never = new AbortController().signal;

type Entry =
	| { readonly kind: 'file'; readonly text: string }
	| { readonly kind: 'link' }
	| { readonly kind: 'submodule'; readonly at: string };
type Files = ReadonlyMap<string, Entry>;

const paths: readonly string[] = ['a', 'b', 'sub/c', 'sub/deep/d', 'e'];

/** A submodule at the commit whose id repeats one digit. */
function submodule(digit: string): Entry {
	return { kind: 'submodule', at: digit.repeat(40) };
}

function file(lines: readonly string[]): Entry {
	return { kind: 'file', text: lines.map((line) => `${line}\n`).join('') };
}

function wantedFile(entry: Entry): WantedFile {
	switch (entry.kind) {
		case 'file':
			return entry.text;
		case 'link':
			return { link: 'nowhere' };
		case 'submodule':
			return { submodule: entry.at };
	}
}

function linesOf(entry: Entry | undefined): readonly string[] {
	return entry?.kind === 'file' ? entry.text.split('\n').slice(0, -1) : [];
}

function numberedFile(path: string): readonly [string, Entry] {
	return [path, file(Array.from({ length: 20 }, (_, at) => (at % 5 === 0 ? '' : `${path} ${at}`)))];
}

/** Changes of files by path; `undefined` deletes one. */
type Step = Readonly<Record<string, Entry | undefined>>;

function stepped(files: Files, step: Step): Files {
	const made = new Map(files);
	for (const [path, entry] of Object.entries(step)) {
		if (entry) {
			made.set(path, entry);
		} else {
			made.delete(path);
		}
	}
	return made;
}

function outcomeOfAll(verdicts: readonly PatchVerdict[]): CheckOutcome {
	return outcomeOf(
		fake({
			verdicts: verdicts.map((verdict, index): CheckedPatch => ({ index, mailId: index, paths: [], verdict })),
		}),
	);
}

/** Changes, adds or deletes a line; half of the edits hit the middle, so that changes meet. */
function edited(entry: Entry | undefined, random: Random, word: string): Entry {
	const lines = [...linesOf(entry)];
	const at = random.below(3) === 0 ? random.below(lines.length + 1) : 8 + random.below(5);
	const how = random.below(3);
	lines.splice(Math.min(at, lines.length), how === 0 ? 0 : 1, ...(how === 1 ? [] : [word]));
	return file(lines);
}

/** Writes an entry and removes entries above and below its path. */
function put(files: Map<string, Entry>, path: string, entry: Entry): void {
	const isInTheWay = (each: string): boolean => path.startsWith(`${each}/`) || each.startsWith(`${path}/`);
	[...files.keys()].filter(isInTheWay).forEach((each) => files.delete(each));
	files.set(path, entry);
}

/** A random change by a contributor. */
function contributed(files: Files, random: Random, word: string): Files {
	const made = new Map(files);
	const path = paths[random.below(paths.length)] ?? 'a';
	const change = (at = path): void => put(made, at, edited(files.get(path), random, word));
	const isFile = files.get(path)?.kind === 'file';
	switch (random.below(12)) {
		case 0:
			put(made, `${path}.new`, file([word]));
			break;
		case 1:
			made.delete(path);
			break;
		case 2:
			made.delete(path);
			change('moved/x');
			break;
		case 3:
			// A folder instead of a file.
			change(`${path}/x`);
			break;
		case 4:
			// A file instead of a folder.
			put(made, 'sub', file([word]));
			break;
		case 5:
			put(made, random.below(4) === 0 && isFile ? path : 'module', submodule(random.below(2) === 0 ? 'b' : 'c'));
			break;
		case 6:
			put(made, random.below(2) === 0 ? 'module/x' : 'module', file([word]));
			break;
		default:
			if (isFile) {
				change();
			}
	}
	return made;
}

/** A random change by others in the meantime. */
function drifted(files: Files, series: readonly Files[], random: Random): Files {
	const made = new Map(files);
	// Mostly paths that the series changes.
	const touched = paths.filter((each) => series.some((after) => after.get(each) !== files.get(each)));
	const near = touched.length === 0 || random.below(4) === 0 ? paths : touched;
	const path = near[random.below(near.length)] ?? 'a';
	const replace = (other: Entry, at = path): void => put(made, at, other);
	switch (random.below(11)) {
		case 0:
			replace(submodule('a'));
			return made;
		case 1:
			replace({ kind: 'link' });
			return made;
		case 2:
			made.delete(path);
			made.set(`${path}/below`, file(['x']));
			return made;
		case 3:
			replace(submodule('a'), `${path}.new`);
			return made;
		case 4:
			made.set('e.new/x', file(['x']));
			replace(file(['in the way']), 'moved');
			return made;
		case 5:
			return series[random.below(series.length)] ?? made;
		case 6:
			return made;
		case 7:
			made.set('module', submodule('d'));
			made.set('sub/other', file(['x']));
			return made;
		default:
			for (let times = random.below(4); times >= 0; times -= 1) {
				const each = near[random.below(near.length)] ?? 'a';
				if (made.get(each)?.kind === 'file') {
					made.set(each, edited(made.get(each), random, `other ${times}`));
				}
			}
			return made;
	}
}

/** Reads files of a commit as from a forge and asserts that each tree is read once. */
async function filesOnForge(
	root: string,
	commit: string,
	named: readonly string[],
): Promise<(path: string, signal: AbortSignal) => Promise<FileThere>> {
	const objects = allObjects(root);
	const treeOf = (id: string): Tree | undefined => {
		const object = objects.get(id);
		return object?.type === 'tree' ? treeOfBytes(id, object.content) : undefined;
	};
	const asked = new Set<string>();
	const tree = async (_: unknown, id: string): Promise<Tree | undefined> => {
		const found = treeOf(id);
		assert.ok(found);
		assert.ok(!asked.has(id), 'a tree is read once');
		asked.add(id);
		return found;
	};
	const repositories = standFor<RepositoryStore>({
		objects: {
			keptTree: async (_: unknown, id: string) => (asked.has(id) ? treeOf(id) : undefined),
			tree,
			keptBlob: async (_: unknown, id: string) => ({ bytes: objects.get(id)?.content }),
		},
		uncached: { entriesAt: undefined, wantsPlaces: () => false },
	});
	const id = /^tree (\w+)/.exec(objects.get(commit)?.content.toString() ?? '')?.[1] ?? '';
	const at = { repositories, ref: { owner: '~alice', name: 'alpha' }, commit: { id: commit, tree: id } };
	return await filesOfForge(at, named, searchBudget(60), never);
}

const emptyClone = madeOnce((machine) => {
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	addSettings(join(machine.folder, 'clone/.git/config'), [['advice.detachedHead', 'false']]);
});

suite('series check', function () {
	this.timeout(600_000);
	let machine: TestMachine;
	let root: string;

	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();

	/** A commit of exactly these files. */
	function wanted(files: Files, branch: string, message: string, from?: string): WantedCommit {
		const made = Array.from(files, ([path, entry]) => [path, wantedFile(entry)] as const);
		const begins = from === undefined ? {} : { from };
		return { branch, message, files: Object.fromEntries(made), isAll: true, ...begins };
	}

	/** The tree after `git am`, or undefined if git refuses the mails. */
	function applied(mails: string, target: string, ...options: readonly string[]): string | undefined {
		const mailbox = join(machine.folder, 'mailbox');
		writeFileSync(mailbox, mails);
		const lines = [
			'git checkout -q -f --detach "$1"',
			'git clean -fdxq',
			'shift',
			'if git am -q "$@" >&2; then git rev-parse HEAD^{tree}; else git am --abort || true; fi',
		];
		const tree = machine.script(root, lines.join('\n'), target, ...options, mailbox).trim();
		return tree === '' ? undefined : tree;
	}

	/** The verdict on each mail of a mailbox for a commit; asserts that reading without a clone agrees. */
	async function checked(mails: string, target: string): Promise<readonly PatchVerdict[]> {
		const patches = mails
			.split(/^(?=From [0-9a-f]{40} Mon)/m)
			.map((text) => ({ diff: parseDiff(text), diffText: text }));
		const touched = patches.flatMap(({ diff }) => diff.files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
		const named = Array.from(new Set(touched.filter((path) => path !== undefined)));
		const trial = async (read: (path: string) => FileThere | Promise<FileThere>): Promise<readonly PatchVerdict[]> => {
			const parts = { patches, read: async (path: string) => read(path), isCommitted: () => false };
			return (await trySeries({ ...parts, turn: async () => undefined }, never)).verdicts;
		};
		const verdicts = await trial(await filesAtCommit(machine.git, root, { commit: target, paths: named }, never));
		const read = await filesOnForge(root, target, named);
		assert.deepEqual(await trial((path) => read(path, never)), verdicts, 'without a clone');
		return verdicts;
	}

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		emptyClone(machine);
	});
	teardown(() => machine.remove());

	const [a, b, c] = ['a', 'b', 'c'].map(submodule);
	const text = (word: string): Entry => file([word]);
	const long = numberedFile('f')[1];
	/** Files before the series, its patches, changes on the target, and whether git applies the series. */
	const cases: Readonly<Record<string, readonly [Step, readonly Step[], Step, boolean]>> = {
		'a folder that replaces a file': [{ f: text('f') }, [{ f: undefined, 'f/x': text('x') }], {}, true],
		'a folder that replaces a file in two patches': [
			{ f: text('f') },
			[{ f: undefined }, { 'f/x': text('x') }, { 'f/x': text('y') }],
			{},
			true,
		],
		'a file that moves into a folder of its own name': [{ f: long }, [{ f: undefined, 'f/x': long }], {}, true],
		'a file that replaces a folder': [
			{ 'd/x': text('x'), 'd/e/y': text('y') },
			[{ 'd/x': undefined, 'd/e/y': undefined, d: text('d') }],
			{},
			true,
		],
		'a file that replaces a folder in two patches': [
			{ 'd/x': text('x') },
			[{ 'd/x': undefined }, { d: text('d') }],
			{},
			true,
		],
		'a file that moves to the path of its folder': [{ 'd/x': long }, [{ 'd/x': undefined, d: long }], {}, true],
		'a file that replaces a folder with a new file on the target': [
			{ 'd/x': text('x') },
			[{ 'd/x': undefined, d: text('d') }],
			{ 'd/other': text('other') },
			false,
		],
		'a new file below a path that is now a file': [{}, [{ 'f/x': text('x') }], { f: text('f') }, false],
		'a new file two levels below a path that is now a file': [
			{},
			[{ 'd/f/e/x': text('x') }],
			{ 'd/f': text('f') },
			false,
		],
		'a new file below a path that is now a link': [{}, [{ 'f/x': text('x') }], { f: { kind: 'link' } }, false],
		'a new file at a path that is now a folder': [{}, [{ d: text('d') }], { 'd/e/x': text('x') }, false],
		'a file that replaces a folder with a new nested file on the target': [
			{ 'd/x': text('x'), 'd/e/y': text('y') },
			[{ 'd/x': undefined, 'd/e/y': undefined, d: text('d') }],
			{ 'd/e/z': text('z') },
			false,
		],
		'a file that becomes a folder and a file again': [
			{ f: text('f') },
			[{ f: undefined, 'f/x': text('x') }, { 'f/x': undefined, f: text('g') }, { f: text('h') }],
			{},
			true,
		],
		'a submodule that moves to another commit': [{ m: a }, [{ m: b }, { m: c }], {}, true],
		'a submodule at another commit on the target': [{ m: a }, [{ m: b }], { m: c }, false],
		'a new submodule': [{ x: text('x') }, [{ m: a }, { m: b }], {}, true],
		'a new submodule that the target has at another commit': [{ x: text('x') }, [{ m: a }], { m: b }, false],
		'a new submodule that the target has as a file with the same text': [
			{ x: text('x') },
			[{ m: a }],
			{ m: text(`Subproject commit ${'a'.repeat(40)}`) },
			false,
		],
		'a deleted submodule': [{ m: a }, [{ m: undefined }], {}, true],
		'a file instead of a submodule': [{ m: a }, [{ m: text('m') }, { m: text('n') }], {}, true],
		'a submodule instead of a file': [{ m: text('m') }, [{ m: a }, { m: b }], {}, true],
		'a folder instead of a submodule': [{ m: a }, [{ m: undefined, 'm/x': text('x') }], {}, true],
		'a submodule instead of a folder': [{ 'm/x': text('x') }, [{ 'm/x': undefined, m: a }], {}, true],
		'a submodule that is now a file with the same text': [
			{ m: a },
			[{ m: b }],
			{ m: text(`Subproject commit ${'a'.repeat(40)}`) },
			false,
		],
	};
	for (const [at, [name, [before, steps, there, isTaken]]] of Object.entries(cases).entries()) {
		const testForm = at % 3 === 0 ? test : testInRest;
		testForm(`agrees with git am on ${name}`, async () => {
			const kept: Files = new Map([['keep', text('keep')]]);
			let files = stepped(kept, before);
			const others = wanted(stepped(files, there), 'others', 'Others', 'main');
			const commits = [wanted(new Map(), 'main', 'Root'), wanted(files, 'main', 'Begin'), others];
			for (const step of steps) {
				files = stepped(files, step);
				commits.push(wanted(files, 'series', 'Change', 'main'));
			}
			const [, , target = ''] = importCommits(machine, root, commits);
			const mails = git('format-patch', '--stdout', '--full-index', 'main..series');
			const verdicts = await checked(`${mails}\n`, target);
			assert.equal(applied(`${mails}\n`, target) !== undefined, isTaken, 'git');
			assert.equal(outcomeOfAll(verdicts), isTaken ? 'applies' : 'conflicts', JSON.stringify(verdicts));
		});
	}

	testInBoth('agrees with git am in random repositories with concurrent changes to the same files', async () => {
		const random = createRandom(seed());
		const seen = { applies: 0, appliesElsewhere: 0, needsMerge: 0, alreadyApplied: 0, conflicts: 0, merged: 0 };
		for (let round = 0; round < counts({ least: 4, first: 2, small: 4, full: 60 }); round += 1) {
			rmSync(join(root, '.git/rebase-apply'), { recursive: true, force: true });
			const base: Files = new Map([['module', submodule('a')], ...paths.map(numberedFile)]);
			const [begin, branch, others] = [`base-${round}`, `series-${round}`, `others-${round}`];
			const series = [contributed(base, random, `new ${round}`)];
			if (random.below(2) === 0) {
				series.push(contributed(series[0] ?? base, random, `more ${round}`));
			}
			const there = wanted(drifted(base, series, random), others, 'Others', begin);
			const target = importCommits(machine, root, [
				wanted(base, begin, 'Begin'),
				...series.map((files, at) => wanted(files, branch, `Change ${at}`, begin)),
				there,
			]).at(-1);
			assert.ok(target);
			const mails = git('format-patch', '--stdout', '--full-index', `${begin}..${branch}`);
			const verdicts = await checked(mails, target);
			if (verdicts.some(({ kind }) => kind === 'empty')) {
				continue;
			}
			const outcome = outcomeOfAll(verdicts);
			assert.ok(outcome !== 'unknown');
			const [plain, merged] = [applied(mails, target), applied(mails, target, '-3')];
			seen[outcome] += 1;
			seen.merged += plain === undefined && merged !== undefined ? 1 : 0;
			const what = `round ${round} of seed ${seed()}: ${outcome} ${JSON.stringify(verdicts)}\n${mails}\n${JSON.stringify(there.files)}`;
			const isPart = verdicts.some(({ files }) => files.some(({ kind }) => kind === 'alreadyApplied'));
			switch (outcome) {
				case 'applies':
				case 'appliesElsewhere':
					if (!isPart) {
						assert.notEqual(plain, undefined, what);
						assert.equal(merged, plain, what);
					}
					break;
				case 'needsMerge':
				case 'conflicts':
					assert.equal(plain, undefined, what);
					break;
				case 'alreadyApplied':
					assert.ok(merged === undefined || merged === git('rev-parse', `${target}^{tree}`), what);
			}
		}
		console.log(`      ${JSON.stringify(seen)}`);
		assert.ok(seen.applies + seen.appliesElsewhere > 0 && seen.conflicts > 0, JSON.stringify(seen));
	});
});
