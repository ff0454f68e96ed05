import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { isStated } from '../../src/patch/blobId.ts';
import { isMisappliedByGit } from '../../src/patch/fileDiff.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { nothing, type FileThere, type FileVerdict } from '../../src/patch/tryFile.ts';
import { trySeries } from '../../src/patch/trySeries.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { diffInBytes } from '../../src/series/diffInBytes.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { oddDiff } from '../support/oddDiffs.ts';
import {
	changedTree,
	importStream,
	mangled,
	oddOptions,
	oddTree,
	type Tree,
} from '../../../../test/support/oddTrees.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { runCases } from '../../../../test/support/shellCases.ts';
import { entriesOf, type Entries, thereIn } from '../support/treeEntries.ts';
import { keepProofTable } from '../../../../test/support/proofTable.ts';

/** The verdict of the check on a diff. */
type Verdict =
	/** `rest`: the diff without the files that already match, for which git refuses the whole diff. */
	| { readonly kind: 'applies'; readonly after: Entries; readonly rest: string | undefined }
	/** Git may apply it, but the displayed diff is different. */
	| { readonly kind: 'doubt' }
	/** `isBlobThere`: git may use the stated blob from its objects instead of the binary data. */
	| { readonly kind: 'refused'; readonly reason: string; readonly isBlobThere: boolean };

interface Judged {
	readonly verdict: Verdict;
	/** Git applies names without `a/` and `b/` with the option `-p0`. */
	readonly isBare: boolean;
}

async function judged(bytes: string, onto: Tree): Promise<Judged> {
	const text = Buffer.from(bytes, 'latin1').toString();
	const { diff, diffText } = diffInBytes({ diff: parseDiff(text), diffText: text }, bytes);
	const { verdicts, after } = await trySeries(
		{
			patches: [{ diff, diffText }],
			read: async (path) => thereIn(onto, path),
			isCommitted: () => false,
			turn: async () => undefined,
		},
		new AbortController().signal,
	);
	const files = verdicts[0]?.files ?? [];
	const conflict = files.find((file) => file.kind === 'conflict');
	const isLoose = files.length === 0 || files.some((file) => file.kind === 'applies' && file.fuzz > 0);
	const isMisapplied =
		diff.files.some(({ damage }) => damage.some(isMisappliedByGit)) || conflict?.damage === 'badBinary';
	const { isBare } = diff;
	if (isMisapplied || conflict?.reason === 'endInside') {
		return { verdict: { kind: 'doubt' }, isBare };
	}
	if (isLoose || conflict) {
		const reason = conflict ? reasonOf(conflict) : 'loose';
		const isBlobThere = diff.files.some(({ content, newId }) => content.kind === 'binary' && hasBlob(onto, newId));
		return { verdict: { kind: 'refused', reason, isBlobThere }, isBare };
	}
	const isThere = (at: number): boolean => files[at]?.kind === 'alreadyApplied';
	const rest = diff.files.some((_, at) => isThere(at))
		? diff.files.map(({ start, end }, at) => (isThere(at) ? '' : diffText.slice(start, end))).join('')
		: undefined;
	return { verdict: { kind: 'applies', rest, after: entriesAfter(onto, after) }, isBare };
}

function hasBlob(tree: Tree, id: string | undefined): boolean {
	return Array.from(tree.values()).some(({ content }) => isStated(Buffer.from(content, 'latin1'), id));
}

function entriesAfter(onto: Tree, after: ReadonlyMap<string, FileThere>): Entries {
	const paths = new Set([...onto.keys(), ...after.keys()]);
	return entriesOf(Array.from(paths, (path) => [path, after.get(path) ?? thereIn(onto, path)]));
}

function reasonOf({ damage, reason }: Extract<FileVerdict, { kind: 'conflict' }>): string {
	return damage ?? reason;
}

/** The output of `git ls-files --stage -z`. */
function entriesListed(output: Buffer): Entries {
	const rows = output.toString().split('\0').slice(0, -1);
	return Object.fromEntries(
		rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.split(' ').slice(0, 2).join(' ')] as const),
	);
}

function entriesInFolder(file: (name: string) => Buffer | undefined): Entries {
	return entriesOf(
		['file', 'other'].map((path) => {
			const content = file(path);
			const mode = file(`${path}.x`) ? '100755' : '100644';
			return [path, content ? { kind: 'file', content, mode } : nothing];
		}),
	);
}

class Tally {
	readonly seen = { applies: 0, doubt: 0, refused: 0 };
	/** Verdicts that differ from git’s. */
	readonly others: string[] = [];
	/** Contents that differ from git’s. */
	readonly bytes: string[] = [];
	byGit = 0;

	/** `rest`: git’s result for the rest of the diff, if it refuses the whole. */
	take(
		ours: Verdict,
		{ git, rest }: { readonly git: Entries | undefined; readonly rest: Entries | undefined },
		diff: string,
	): void {
		const byGit = git ?? rest;
		const isSame = ours.kind === 'applies' && isDeepStrictEqual(ours.after, byGit);
		const isRefused = ours.kind === 'refused' && (git === undefined || ours.isBlobThere);
		if (!isSame && !isRefused && ours.kind !== 'doubt') {
			const isApplied = ours.kind === 'applies' && byGit !== undefined;
			(isApplied ? this.bytes : this.others).push(`${JSON.stringify({ ours, byGit })}\n${diff}`);
		}
		this.seen[ours.kind] += 1;
		this.byGit += git === undefined ? 0 : 1;
	}

	check(title: string, count: number): void {
		const { applies, doubt, refused } = this.seen;
		keepProofTable(title, [
			['diffs', 'git applies', 'applied', 'in doubt, said', 'refused', 'other verdicts', 'other bytes'],
			[count, this.byGit, applies, doubt, refused, this.others.length, this.bytes.length],
		]);
		assert.deepEqual(this.bytes.slice(0, 3), [], String(this.bytes.length));
		assert.deepEqual(this.others.slice(0, 3), [], String(this.others.length));
		assert.ok(applies > count / 4 && refused > count / 10, JSON.stringify(this.seen));
	}
}

interface Case {
	readonly diff: string;
	readonly onto: Tree;
}

/** Applies diffs with git; `undefined` if it refuses one. */
type ByGit = (cases: readonly (Case & { readonly options: string })[]) => readonly (Entries | undefined)[];

async function comparedWithGit(title: string, cases: readonly Case[], byGit: ByGit): Promise<void> {
	const all: (Case & { readonly ours: Verdict; readonly options: string })[] = [];
	for (const { diff, onto } of cases) {
		const { verdict, isBare } = await judged(diff, onto);
		all.push({ diff, onto, ours: verdict, options: isBare ? '-p0' : '' });
	}
	const whole = byGit(all);
	const halves = all.flatMap(({ ours, ...each }, at) =>
		ours.kind === 'applies' && ours.rest !== undefined && !whole[at] ? [{ ...each, at, diff: ours.rest }] : [],
	);
	const some = byGit(halves.map(({ diff, ...each }) => ({ ...each, diff: `---\n${diff}-- \n2.39.5\n` })));
	const rests = new Map(
		halves.map(({ at, diff, onto }, half) => [at, diff === '' ? entriesAfter(onto, new Map()) : some[half]]),
	);
	const tally = new Tally();
	for (const [at, { ours, diff }] of all.entries()) {
		tally.take(ours, { git: whole[at], rest: rests.get(at) }, diff);
	}
	tally.check(title, all.length);
}

suite('odd diffs', function () {
	this.timeout(3_600_000);

	testInBoth('apply as with git apply or are in doubt, and are refused where git refuses', async () => {
		const random = createRandom(seed() + 51);
		const all = Array.from({ length: counts({ least: 150, first: 70, small: 200, full: 14_000 }) }, () =>
			oddDiff(random),
		);
		const cases = all.map(({ diff, onto }): Case => {
			const tree: Tree = new Map(onto === undefined ? [] : [['file', { mode: '100644', content: onto }]]);
			return { diff, onto: tree };
		});
		const script = `
			git apply $(cat options) --whitespace=nowarn diff && echo >done
			for name in file other; do [ ! -x $name ] || echo >$name.x; done`;
		await comparedWithGit('Random diffs against git apply', cases, (some) =>
			runCases(
				script,
				some.map(({ diff, onto, options }) => {
					const content = onto.get('file')?.content;
					const file = content === undefined ? {} : { file: Buffer.from(content, 'latin1') };
					return { diff: Buffer.from(diff, 'latin1'), options, ...file };
				}),
			).map(({ file }) => file('done') && entriesInFolder(file)),
		);
	});

	testInBoth('of whole trees give the same names, kinds, modes, moves and binary files as git', async () => {
		const random = createRandom(seed() + 52);
		const made = Array.from({ length: counts({ least: 20, first: 14, small: 40, full: 5000 }) }, () => {
			const before = oddTree(random);
			return { before, after: changedTree(random, before), options: oddOptions(random) };
		});
		const repository = 'git init -q in; cd in; git fast-import --quiet --force <../import || exit';
		const diffs = runCases(
			`${repository}; git diff $(cat ../options) t0 t1 >../diff`,
			made.map(({ before, after, options }) => ({ import: importStream([before, after]), options })),
		);
		const all = made.map(({ before, after, options }, at) => {
			const whole = diffs[at]?.file('diff')?.toString('latin1') ?? '';
			const diff = Array.from({ length: random.chance(60) ? 1 + random.below(2) : 0 }).reduce<string>(
				(text) => mangled(random, text),
				whole,
			);
			const base = options.includes('-R') ? after : before;
			const onto = random.chance(20) ? changedTree(random, base) : base;
			return { diff: `---\n${diff.replace(/(?<!\n)$/, '\n')}-- \n2.39.5\n`, onto };
		});
		const script = `
			${repository}; git checkout -q t0
			git apply $(cat ../options) --index --whitespace=nowarn ../diff && git ls-files -sz >../done`;
		await comparedWithGit('Random changes of trees against git apply', all, (cases) =>
			runCases(
				script,
				cases.map(({ diff, onto, options }) => ({
					import: importStream([onto]),
					diff: Buffer.from(diff, 'latin1'),
					options,
				})),
			).map(({ file }) => {
				const done = file('done');
				return done && entriesListed(done);
			}),
		);
	});
});
