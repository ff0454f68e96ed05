import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { submoduleBytes } from '../../../src/git/submoduleBytes.ts';
import { blobId } from '../../../src/patch/blobId.ts';
import { byteText } from '../../../src/patch/byteText.ts';
import { isMisappliedByGit } from '../../../src/patch/fileDiff.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';
import { nothing, type FileThere, type FileVerdict } from '../../../src/patch/tryFile.ts';
import { trySeries } from '../../../src/patch/trySeries.ts';
import { createRandom } from '../../../src/sampleForge/worlds/random.ts';
import { diffInBytes } from '../../../src/series/diffInBytes.ts';
import { counts, seed } from '../../support/counts.ts';
import { oddDiff } from '../../support/oddDiffs.ts';
import { changedTree, importStream, mangled, oddOptions, oddTree, type Tree } from '../../support/oddTrees.ts';
import { runCases } from '../../support/shellCases.ts';
import { keepProofTable } from '../../support/proofTable.ts';

/** Mode and object id by path. */
type Entries = Readonly<Record<string, string>>;

/** What the check says of a diff. */
type Verdict =
	/** `isThere`: some files have the result already, so git may refuse the diff. */
	| { readonly kind: 'applies'; readonly after: Entries; readonly isThere: boolean }
	/** Git may apply it, but the diff shows something else. */
	| { readonly kind: 'doubt' }
	| { readonly kind: 'refused'; readonly reason: string };

async function verdictOf(bytes: string, onto: Tree): Promise<Verdict> {
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
	const isMisapplied = diff.files.some(({ damage }) => damage.some(isMisappliedByGit));
	if (diff.isBare || isMisapplied || conflict?.reason === 'endInside') {
		return { kind: 'doubt' };
	}
	const isThere = files.some(({ kind }) => kind === 'alreadyApplied');
	if (isLoose || conflict) {
		return { kind: 'refused', reason: conflict ? reasonOf(conflict) : 'loose' };
	}
	return { kind: 'applies', isThere, after: entriesAfter(onto, after) };
}

function entriesAfter(onto: Tree, after: ReadonlyMap<string, FileThere>): Entries {
	const paths = new Set([...onto.keys(), ...after.keys()]);
	return entries(Array.from(paths, (path) => [path, after.get(path) ?? thereIn(onto, path)]));
}

function reasonOf({ damage, reason }: Extract<FileVerdict, { kind: 'conflict' }>): string {
	return damage ?? reason;
}

function thereIn(tree: Tree, path: string): FileThere {
	const file = tree.get(path);
	if (file) {
		const content = file.mode === '160000' ? submoduleBytes(file.content) : Buffer.from(file.content, 'latin1');
		return { kind: 'file', content, mode: file.mode };
	}
	const inTheWay = [...tree.keys()].filter((each) => each.startsWith(`${path}/`) || path.startsWith(`${each}/`));
	return inTheWay.length > 0 ? { kind: 'notFile', inTheWay } : nothing;
}

function entries(files: readonly (readonly [path: string, there: FileThere])[]): Entries {
	const rows = files.flatMap(([path, there]) => (there.kind === 'file' ? [[path, entryOf(there)] as const] : []));
	return Object.fromEntries(rows);
}

function entryOf({ mode = '100644', content }: Extract<FileThere, { kind: 'file' }>): string {
	const id = mode === '160000' ? /[0-9a-f]{40}/.exec(byteText(content))?.[0] : blobId(content);
	return `${mode} ${id}`;
}

/** The output of `git ls-files --stage -z`. */
function entriesListed(output: Buffer): Entries {
	const rows = output.toString().split('\0').slice(0, -1);
	return Object.fromEntries(
		rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.split(' ').slice(0, 2).join(' ')] as const),
	);
}

/** Contents alone: `git apply` in a folder writes no index. */
function withoutModes(all: Entries): Entries {
	return Object.fromEntries(Object.entries(all).map(([path, entry]) => [path, entry.split(' ')[1] ?? '']));
}

function entriesInFolder(file: (name: string) => Buffer | undefined): Entries {
	return entries(
		['file', 'other'].map((path) => {
			const content = file(path);
			return [path, content ? { kind: 'file', content } : nothing];
		}),
	);
}

class Tally {
	readonly seen = { applies: 0, doubt: 0, refused: 0 };
	/** Verdicts that differ from git's. */
	readonly others: string[] = [];
	/** Other bytes than git's. */
	readonly bytes: string[] = [];
	byGit = 0;

	take(ours: Verdict, git: Entries | undefined, diff: string): void {
		const isSame = ours.kind === 'applies' && isDeepStrictEqual(ours.after, git);
		const mayBeRefused = ours.kind === 'refused' || (ours.kind === 'applies' && ours.isThere);
		if (!isSame && ours.kind !== 'doubt' && !(mayBeRefused && git === undefined)) {
			const isApplied = ours.kind === 'applies' && git !== undefined;
			(isApplied ? this.bytes : this.others).push(`${JSON.stringify({ ours, git })}\n${diff}`);
		}
		this.seen[ours.kind] += 1;
		this.byGit += git === undefined ? 0 : 1;
	}

	/** `mostOthers`: verdicts on contradicting headers that may differ. */
	check(title: string, count: number, mostOthers = 0): void {
		const { applies, doubt, refused } = this.seen;
		keepProofTable(title, [
			['diffs', 'git applies', 'applied', 'in doubt, said', 'refused', 'other verdicts', 'other bytes'],
			[count, this.byGit, applies, doubt, refused, this.others.length, this.bytes.length],
		]);
		assert.deepEqual(this.bytes.slice(0, 3), [], String(this.bytes.length));
		assert.deepEqual(this.others.slice(mostOthers, mostOthers + 3), [], String(this.others.length));
		assert.ok(applies > count / 4 && refused > count / 10, JSON.stringify(this.seen));
	}
}

suite('odd diffs', function () {
	this.timeout(3_600_000);

	test('apply as git apply applies them, or are doubtful, and are refused where it refuses them', async () => {
		const random = createRandom(seed() + 51);
		const all = Array.from({ length: counts({ least: 150, small: 500, full: 14_000 }) }, () => oddDiff(random));
		const results = runCases(
			'git apply --whitespace=nowarn diff && echo >done',
			all.map(({ diff, onto }) => ({
				diff: Buffer.from(diff, 'latin1'),
				...(onto === undefined ? {} : { file: Buffer.from(onto, 'latin1') }),
			})),
		);
		const tally = new Tally();
		for (const [at, { diff, onto }] of all.entries()) {
			const tree: Tree = new Map(onto === undefined ? [] : [['file', { mode: '100644', content: onto }]]);
			const result = results[at];
			const ours = await verdictOf(diff, tree);
			const byGit = result?.file('done') && withoutModes(entriesInFolder(result.file));
			tally.take(ours.kind === 'applies' ? { ...ours, after: withoutModes(ours.after) } : ours, byGit, diff);
		}
		tally.check('Random diffs against git apply', all.length);
	});

	test('of whole trees make the same trees: names, kinds of files, modes, moves and binary patches', async () => {
		const random = createRandom(seed() + 52);
		const made = Array.from({ length: counts({ least: 20, small: 100, full: 5000 }) }, () => {
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
		const results = runCases(
			`${repository}; git checkout -q t0; git apply --index --whitespace=nowarn ../diff && git ls-files -sz >../done`,
			all.map(({ diff, onto }) => ({ import: importStream([onto]), diff: Buffer.from(diff, 'latin1') })),
		);
		const tally = new Tally();
		for (const [at, { diff, onto }] of all.entries()) {
			const done = results[at]?.file('done');
			tally.take(await verdictOf(diff, onto), done && entriesListed(done), diff);
		}
		tally.check('Random changes of trees against git apply', all.length, Math.floor(all.length / 100));
	});
});
