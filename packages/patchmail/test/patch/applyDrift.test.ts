import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyDiff } from '../../src/patch/applyDiff.ts';
import type { FileDiff } from '../../src/patch/fileDiff.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { createRandom, type Random } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { makeTrees } from '../../../../test/support/patchMaker.ts';
import { commitTrees, patchMails } from '../../../../test/support/patchMakerGit.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const folder = mkdtempSync(join(tmpdir(), 'forge-desk-drift-'));

interface Drifted {
	readonly diff: string;
	readonly file: FileDiff;
	readonly before: string;
}

/** Texts that have changed since their patches were made. */
function makeDrifted(count: number, random: Random): readonly Drifted[] {
	const trees = makeTrees(count, random);
	commitTrees(folder, trees);
	return patchMails(folder, 0, count, ['--no-renames']).flatMap((bytes, at) => {
		const mail = bytes.toString();
		const changed = parseDiff(mail).files.filter(({ change, added }) => change === 'modified' && added > 0);
		return changed.flatMap((found) => {
			const old = trees[at]?.get(found.oldPath ?? '');
			if (old === undefined || old.mode === '160000') {
				return [];
			}
			const diff = `--- a/file\n+++ b/file\n${mail.slice(mail.indexOf('\n@@ ', found.start) + 1, found.end)}`;
			return [{ diff, file: parseDiff(diff).files[0]!, before: drifted(old.content.toString(), random) }];
		});
	});
}

function drifted(text: string, random: Random): string {
	const lines = text.split('\n');
	for (let steps = random.below(4); steps > 0; steps--) {
		const at = random.below(lines.length + 1);
		if (random.chance(40)) {
			lines[at] = `${lines[at] ?? ''}!`;
		} else if (random.chance(30)) {
			lines.splice(at, 1 + random.below(2));
		} else {
			lines.splice(at, 0, ...Array.from({ length: 1 + random.below(5) }, (_, line) => `drift ${line}`));
		}
	}
	return lines.join('\n');
}

/** The texts that git makes, with all context or with less. */
function byGit(all: readonly Drifted[], option: string): readonly (string | undefined)[] {
	const cases = all.map(({ diff, before }) => ({ diff, file: before }));
	return runCases(`git apply --whitespace=nowarn ${option} diff && mv file after`, cases).map((each) =>
		each.file('after')?.toString(),
	);
}

suite('patches for a changed text', function () {
	this.timeout(600_000);
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	testInBoth('apply where git apply succeeds, and with fuzz as git apply -C', () => {
		const cases = makeDrifted(counts({ least: 60, first: 20, small: 60, full: 300 }), createRandom(seed() + 1));
		const [exact, loose] = [byGit(cases, ''), byGit(cases, '-C1')];
		const counted = { fuzzy: 0, refused: 0, moved: 0 };
		for (const [at, { before, diff, file }] of cases.entries()) {
			const outcome = applyDiff(before, diff, file);
			if (outcome.kind === 'refused' && outcome.reason === 'endInside') {
				// Git would join two lines.
				continue;
			}
			const hunks = outcome.kind === 'applied' ? outcome.hunks : [];
			const isFuzzy = hunks.some(({ fuzz }) => fuzz > 0);
			const ours = outcome.kind === 'applied' ? outcome.after : undefined;
			const told = `${diff}\n${before}`;
			assert.equal(isFuzzy ? undefined : ours, exact[at], told);
			assert.ok(!isFuzzy || loose[at] === undefined || ours === loose[at], told);
			counted.refused += Number(ours === undefined);
			counted.fuzzy += Number(isFuzzy && loose[at] !== undefined);
			counted.moved += Number(hunks.some(({ offset }) => offset !== 0));
		}
		const { refused, fuzzy, moved } = counted;
		assert.ok(refused > 1 && fuzzy > 0 && moved > 1, `${refused} ${fuzzy} ${moved} of ${cases.length}`);
	});
});
