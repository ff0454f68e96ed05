import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyDiff, type ApplyOutcome } from '../../../src/patch/applyDiff.ts';
import type { FileDiff } from '../../../src/patch/fileDiff.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';
import { createRandom, type Random } from '../../../src/sampleForge/worlds/random.ts';
import { counts, seed } from '../../support/counts.ts';
import { makeTrees } from '../../support/patchMaker.ts';
import { commitTrees, patchMails } from '../../support/patchMakerGit.ts';
import { runCases } from '../../support/shellCases.ts';

const folder = mkdtempSync(join(tmpdir(), 'forge-desk-drift-'));
/** Not on every machine; git is. */
const hasPatch = spawnSync('patch', ['--version']).status === 0;

interface Drifted {
	readonly diff: string;
	readonly file: FileDiff;
	readonly before: string;
}

/** Texts that are no longer what their patches were made for. */
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

/** What programs make of a diff; `undefined` where they refuse it. */
interface Programs {
	readonly git: string | undefined;
	readonly gnu: string | undefined;
}

function byPrograms(all: readonly Drifted[]): readonly Programs[] {
	const script = `
		git apply --whitespace=nowarn diff && mv file git
		${hasPatch ? 'patch --binary --force --silent --fuzz=2 --reject-file=- --output=gnu input diff || rm -f gnu' : ''}`;
	const results = runCases(
		script,
		all.map(({ diff, before }) => ({ diff, file: before, input: before })),
	);
	return results.map((each, at) => {
		const gnu = each.file('gnu')?.toString();
		// GNU patch puts the last line of a file before other lines, too, and then the two are one: that is not followed.
		const last = /\n\+([^\n]*)\n\\ No newline at end of file\n$/.exec(all[at]?.diff ?? '')?.[1];
		const isFollowed = last === undefined || gnu?.endsWith(`\n${last}`) === true || gnu === last;
		return { git: each.file('git')?.toString(), gnu: isFollowed ? gnu : undefined };
	});
}

/** GNU patch puts such lines wherever it likes when none of the lines around them is there any more. */
function hasShortInsertion({ file: { content } }: Drifted): boolean {
	const hunks = content.kind === 'text' ? content.hunks : [];
	return hunks.some(({ removed, oldLines }) => removed === 0 && oldLines <= 4);
}

function textOf(outcome: ApplyOutcome): string | undefined {
	return outcome.kind === 'applied' ? outcome.after : undefined;
}

/** Whether one of the programs makes the same of it, or none makes anything of it when we do not. */
function agrees(each: Drifted, ours: string | undefined, { git, gnu }: Programs): boolean {
	if (ours === undefined && git === undefined && hasShortInsertion(each)) {
		return true;
	}
	if (ours === undefined && git !== gnu && /\n [^\n]*\n\\ No newline/.test(each.diff)) {
		// Where the text goes on behind such a line, git makes one line of two, and GNU patch two of them.
		return true;
	}
	const theirs = [git, gnu].filter((one) => one !== undefined);
	return theirs.length === 0 ? !hasPatch || ours === undefined : ours !== undefined && theirs.includes(ours);
}

suite('patches for a text that has moved on', function () {
	this.timeout(600_000);
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	test('apply where git apply and GNU patch apply them, with the same result', () => {
		const cases = makeDrifted(counts({ least: 60, small: 60, full: 300 }), createRandom(seed() + 1));
		let [fuzzy, refused, moved] = [0, 0, 0];
		const programs = byPrograms(cases);
		for (const [at, each] of cases.entries()) {
			const outcome = applyDiff(each.before, each.diff, each.file);
			const ours = textOf(outcome);
			assert.ok(agrees(each, ours, programs[at]!), `${each.diff}\n${each.before}`);
			const hunks = outcome.kind === 'applied' ? outcome.hunks : [];
			refused += ours === undefined ? 1 : 0;
			fuzzy += hunks.some(({ fuzz }) => fuzz > 0) ? 1 : 0;
			moved += hunks.some(({ offset }) => offset !== 0) ? 1 : 0;
		}
		assert.ok(refused > 1 && fuzzy > 0 && moved > 1, `${refused} ${fuzzy} ${moved} of ${cases.length}`);
	});
});
