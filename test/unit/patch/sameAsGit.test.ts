import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { byteText } from '../../../src/patch/byteText.ts';
import { isMisappliedByGit } from '../../../src/patch/fileDiff.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';
import { nothing, type FileThere, type FileVerdict } from '../../../src/patch/tryFile.ts';
import { trySeries } from '../../../src/patch/trySeries.ts';
import { createRandom } from '../../../src/sampleForge/worlds/random.ts';
import { counts, seed } from '../../support/counts.ts';
import { oddDiff, type OddDiff } from '../../support/oddDiffs.ts';
import { runCases } from '../../support/shellCases.ts';
import { keepProofTable } from '../../support/proofTable.ts';

/** What there is in the end, by path. */
type Contents = Readonly<Partial<Record<'file' | 'other', string>>>;

/** What the check says of a diff. */
type Verdict =
	| { readonly kind: 'applies'; readonly after: Contents }
	/** Git may apply it, but the diff shows something else. */
	| { readonly kind: 'doubt' }
	| { readonly kind: 'refused'; readonly reason: string };

async function verdictOf({ diff: diffText, onto }: OddDiff): Promise<Verdict> {
	const diff = parseDiff(diffText);
	const old = fileOf(onto);
	const { verdicts, after } = await trySeries(
		{
			patches: [{ diff, diffText }],
			read: async (path) => (path === 'file' ? old : nothing),
			isCommitted: () => false,
			turn: async () => undefined,
		},
		new AbortController().signal,
	);
	const files = verdicts[0]?.files ?? [];
	const conflict = files.find((file) => file.kind === 'conflict');
	const isMisapplied = diff.files.some(({ damage }) => damage.some(isMisappliedByGit));
	if (diff.isBare || isMisapplied || conflict?.reason === 'endInside') {
		return { kind: 'doubt' };
	}
	return files.length > 0 && files.every((file) => file.kind === 'applies' && file.fuzz === 0)
		? { kind: 'applies', after: contentsOf((path) => textOf(after.get(path) ?? (path === 'file' ? old : nothing))) }
		: { kind: 'refused', reason: conflict ? reasonOf(conflict) : (files[0]?.kind ?? '') };
}

function reasonOf({ damage, reason }: Extract<FileVerdict, { kind: 'conflict' }>): string {
	return damage ?? reason;
}

function fileOf(text: string | undefined): FileThere {
	return text === undefined ? nothing : { kind: 'file', content: Buffer.from(text, 'latin1'), mode: '100644' };
}

function textOf(there: FileThere): string | undefined {
	return there.kind === 'file' ? byteText(there.content) : undefined;
}

function contentsOf(textAt: (path: 'file' | 'other') => string | undefined): Contents {
	const [file, other] = [textAt('file'), textAt('other')];
	return { ...(file === undefined ? {} : { file }), ...(other === undefined ? {} : { other }) };
}

function isSame(ours: Verdict, git: Contents | undefined): boolean {
	return ours.kind === 'doubt' || (ours.kind === 'applies' ? isDeepStrictEqual(ours.after, git) : git === undefined);
}

suite('odd diffs', function () {
	this.timeout(600_000);

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
		const seen = { applies: 0, doubt: 0, refused: 0 };
		const others: string[] = [];
		let byGit = 0;
		for (const [at, each] of all.entries()) {
			const result = results[at];
			const git = result?.file('done') && contentsOf((path) => result.file(path)?.toString('latin1'));
			const ours = await verdictOf(each);
			if (!isSame(ours, git)) {
				others.push(`${JSON.stringify({ ours, git, onto: each.onto })}\n${each.diff}`);
			}
			seen[ours.kind] += 1;
			byGit += git === undefined ? 0 : 1;
		}
		keepProofTable('Random diffs against git apply', [
			['diffs', 'git applies', 'same bytes', 'in doubt, said', 'refused', 'different, silent'],
			[all.length, byGit, seen.applies, seen.doubt, seen.refused, others.length],
		]);
		assert.deepEqual(others.slice(0, 3), [], String(others.length));
		assert.ok(seen.applies > all.length / 4 && seen.refused > all.length / 10, JSON.stringify(seen));
	});
});
