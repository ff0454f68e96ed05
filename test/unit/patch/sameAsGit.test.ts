import assert from 'node:assert/strict';
import { byteText } from '../../../src/patch/byteText.ts';
import { isMisappliedByGit } from '../../../src/patch/fileDiff.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';
import { triedFile } from '../../../src/patch/tryFile.ts';
import { createRandom } from '../../../src/sampleForge/worlds/random.ts';
import { counts, seed } from '../../support/counts.ts';
import { oddDiff, type OddDiff } from '../../support/oddDiffs.ts';
import { runCases } from '../../support/shellCases.ts';

/** What the check says of a diff. */
type Verdict =
	| { readonly kind: 'applies'; readonly after: string }
	/** Git may apply it, but the diff shows something else. */
	| { readonly kind: 'doubt' }
	| { readonly kind: 'refused'; readonly reason: string };

function verdictOf({ diff, onto }: OddDiff): Verdict {
	const { files } = parseDiff(diff);
	const [file] = files;
	if (!file || files.length > 1) {
		return { kind: 'refused', reason: `${files.length} files` };
	}
	const old = { kind: 'file', content: Buffer.from(onto, 'latin1') } as const;
	const { verdict, after } = triedFile({ text: diff, file, old, target: undefined });
	if (verdict.kind === 'conflict') {
		const isDoubt = verdict.reason === 'endInside' || file.damage.some(isMisappliedByGit);
		return isDoubt ? { kind: 'doubt' } : { kind: 'refused', reason: verdict.damage ?? verdict.reason };
	}
	return verdict.kind === 'applies' && verdict.fuzz === 0 && after?.kind === 'file'
		? { kind: 'applies', after: byteText(after.content) }
		: { kind: 'refused', reason: verdict.kind };
}

function isSame(ours: Verdict, git: string | undefined): boolean {
	return ours.kind === 'doubt' || (ours.kind === 'applies' ? ours.after === git : git === undefined);
}

suite('odd diffs', function () {
	this.timeout(600_000);

	test('apply as git apply applies them, or are doubtful, and are refused where it refuses them', () => {
		const random = createRandom(seed() + 51);
		const all = Array.from({ length: counts({ least: 150, small: 500, full: 14_000 }) }, () => oddDiff(random));
		const results = runCases(
			'git apply --whitespace=nowarn diff && mv file after',
			all.map(({ diff, onto }) => ({ diff: Buffer.from(diff, 'latin1'), file: Buffer.from(onto, 'latin1') })),
		);
		const seen = { applies: 0, doubt: 0, refused: 0 };
		const others: string[] = [];
		let byGit = 0;
		for (const [at, each] of all.entries()) {
			const git = results[at]?.file('after')?.toString('latin1');
			const ours = verdictOf(each);
			if (!isSame(ours, git)) {
				others.push(`${JSON.stringify({ ours, git, onto: each.onto })}\n${each.diff}`);
			}
			seen[ours.kind] += 1;
			byGit += git === undefined ? 0 : 1;
		}
		console.log(`      ${byGit} of ${all.length} applied by git: ${JSON.stringify(seen)}`);
		assert.deepEqual(others.slice(0, 3), [], String(others.length));
		assert.ok(seen.applies > all.length / 4 && seen.refused > all.length / 10, JSON.stringify(seen));
	});
});
