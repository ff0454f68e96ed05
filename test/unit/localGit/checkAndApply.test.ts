import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CheckedPatch } from '../../../src/features/lists/checks/patchsetChecks.ts';
import { filesAtCommit } from '../../../src/localGit/filesAtCommit.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';
import { trySeries } from '../../../src/patch/trySeries.ts';
import { createRandom, type Random } from '../../../src/sampleForge/worlds/random.ts';
import { counts, seed } from '../../support/counts.ts';
import { testMachine, type TestMachine } from '../../support/localMachine.ts';

const { outcomeOf } = await import('../../../src/features/lists/checks/checkTexts.ts');

const never = new AbortController().signal;

type Entry =
	| { readonly kind: 'file'; readonly text: string }
	| { readonly kind: 'link' }
	| { readonly kind: 'submodule' };
type Files = ReadonlyMap<string, Entry>;

const paths: readonly string[] = ['a', 'b', 'sub/c', 'sub/deep/d', 'e'];

function file(lines: readonly string[]): Entry {
	return { kind: 'file', text: lines.map((line) => `${line}\n`).join('') };
}

function linesOf(entry: Entry | undefined): readonly string[] {
	return entry?.kind === 'file' ? entry.text.split('\n').slice(0, -1) : [];
}

/** Changes, adds or deletes a line; in half of all cases one of those in the middle, so that changes come near others. */
function edited(entry: Entry | undefined, random: Random, word: string): Entry {
	const lines = [...linesOf(entry)];
	const at = random.below(3) === 0 ? random.below(lines.length + 1) : 8 + random.below(5);
	const how = random.below(3);
	lines.splice(Math.min(at, lines.length), how === 0 ? 0 : 1, ...(how === 1 ? [] : [word]));
	return file(lines);
}

/** What a contributor changes. */
function contributed(files: Files, random: Random, word: string): Files {
	const made = new Map(files);
	const path = paths[random.below(paths.length)] ?? 'a';
	const what = random.below(8);
	if (what === 0) {
		made.set(`${path}.new`, file([word]));
	} else if (what === 1) {
		made.delete(path);
	} else if (what === 2 && made.get(path)?.kind === 'file') {
		made.set('moved/x', edited(made.get(path), random, word));
		made.delete(path);
	} else if (made.get(path)?.kind === 'file') {
		made.set(path, edited(made.get(path), random, word));
	}
	return made;
}

/** What others did meanwhile. */
function drifted(files: Files, series: readonly Files[], random: Random): Files {
	const made = new Map(files);
	// What the series changes, mostly.
	const touched = paths.filter((each) => series.some((after) => after.get(each) !== files.get(each)));
	const near = touched.length === 0 || random.below(4) === 0 ? paths : touched;
	const path = near[random.below(near.length)] ?? 'a';
	const replace = (other: Entry, at = path): void => {
		[...made.keys()].filter((each) => each === at || each.startsWith(`${at}/`)).forEach((each) => made.delete(each));
		made.set(at, other);
	};
	switch (random.below(10)) {
		case 0:
			replace({ kind: 'submodule' });
			return made;
		case 1:
			replace({ kind: 'link' });
			return made;
		case 2:
			made.delete(path);
			made.set(`${path}/below`, file(['x']));
			return made;
		case 3:
			replace({ kind: 'submodule' }, `${path}.new`);
			return made;
		case 4:
			made.set('e.new/x', file(['x']));
			replace(file(['in the way']), 'moved');
			return made;
		case 5:
			return series[random.below(series.length)] ?? made;
		case 6:
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

suite('what a check says of a series in a clone', function () {
	this.timeout(600_000);
	let machine: TestMachine;
	let root: string;

	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();

	/** Commits exactly these files. */
	function commit(files: Files, message: string): string {
		git('rm', '-rfq', '--ignore-unmatch', '--cached', '.');
		git('clean', '-fdxq');
		for (const [path, entry] of files) {
			if (entry.kind === 'submodule') {
				git('update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},${path}`);
				continue;
			}
			mkdirSync(dirname(join(root, path)), { recursive: true });
			if (entry.kind === 'link') {
				symlinkSync('nowhere', join(root, path));
			} else {
				writeFileSync(join(root, path), entry.text);
			}
			git('add', '--', path);
		}
		git('commit', '-q', '--allow-empty', '-m', message);
		return git('rev-parse', 'HEAD');
	}

	/** Whether `git am` takes it, and the tree afterwards. */
	function applied(mails: string, target: string, ...options: readonly string[]): string | undefined {
		git('checkout', '-q', '-f', '--detach', target);
		git('clean', '-fdxq');
		try {
			machine.feed(root, mails, 'am', '-q', ...options);
			return git('rev-parse', 'HEAD^{tree}');
		} catch {
			machine.try(root, 'am', '--abort');
			return undefined;
		}
	}

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(root);
		git('init', '-q', '-b', 'main');
		git('config', 'advice.detachedHead', 'false');
	});
	teardown(() => machine.remove());

	test('is what git am does with it, in small repositories where others changed the same meanwhile', async () => {
		const random = createRandom(seed());
		const seen = { applies: 0, appliesElsewhere: 0, needsMerge: 0, alreadyApplied: 0, conflicts: 0, merged: 0 };
		for (let round = 0; round < counts({ small: 4, full: 60 }); round += 1) {
			rmSync(join(root, '.git/rebase-apply'), { recursive: true, force: true });
			const base: Files = new Map(
				paths.map((path) => [path, file(Array.from({ length: 20 }, (_, at) => (at % 5 === 0 ? '' : `${path} ${at}`)))]),
			);
			git('checkout', '-q', '-f', '--orphan', `round-${round}`);
			const first = commit(base, 'Begin');
			const series = [contributed(base, random, `new ${round}`)];
			if (random.below(2) === 0) {
				series.push(contributed(series[0] ?? base, random, `more ${round}`));
			}
			const tip = series.map((files, at) => commit(files, `Change ${at}`)).at(-1) ?? first;
			const mails = git('format-patch', '--stdout', '--full-index', `${first}..${tip}`);
			git('checkout', '-q', '-f', '--detach', first);
			const target = commit(drifted(base, series, random), 'Others');
			const diffs = mails
				.split(/^(?=From [0-9a-f]{40} Mon)/m)
				.map((text) => ({ diff: parseDiff(text), diffText: text }));
			const touched = diffs.flatMap(({ diff }) => diff.files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
			const named = Array.from(new Set(touched.filter((path) => path !== undefined)));
			const read = await filesAtCommit(machine.git, root, { commit: target, paths: named }, never);
			const verdicts = await trySeries(
				{ patches: diffs, read: async (path) => read(path), isCommitted: () => false, turn: async () => undefined },
				never,
			);
			if (verdicts.some(({ kind }) => kind === 'empty')) {
				continue;
			}
			const outcome = outcomeOf({
				verdicts: verdicts.map((verdict, index): CheckedPatch => ({ index, mailId: index, paths: [], verdict })),
			});
			const [plain, merged] = [applied(mails, target), applied(mails, target, '-3')];
			seen[outcome] += 1;
			seen.merged += plain === undefined && merged !== undefined ? 1 : 0;
			const what = `round ${round} of seed ${seed()}: ${outcome} ${JSON.stringify(verdicts)}\n${mails}\n${git('show', target)}`;
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
