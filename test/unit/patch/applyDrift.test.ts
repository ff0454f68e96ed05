import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyDiff, type ApplyOutcome } from '../../../src/patch/applyDiff.ts';
import type { FileDiff } from '../../../src/patch/fileDiff.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';
import { createRandom, type Random } from '../../../src/sampleForge/random.ts';
import { counts, seed } from '../../support/counts.ts';
import { makeTrees } from '../../support/patchMaker.ts';
import { commitTrees, gitIn, patchMails } from '../../support/patchMakerGit.ts';

const folder = mkdtempSync(join(tmpdir(), 'forge-desk-drift-'));
/** Not on every machine; git is. */
const gnuPatch = 'patch';
const hasPatch = spawnSync(gnuPatch, ['--version']).status === 0;

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

/** What a program makes of it; `undefined` when it refuses. */
function byGnuPatch({ diff, before }: Drifted): string | undefined {
	const [input, output, patch] = ['input', 'output', 'patch'].map((name) => join(folder, name));
	writeFileSync(input!, before);
	writeFileSync(patch!, diff);
	const args = [
		'--binary',
		'--force',
		'--silent',
		'--fuzz=2',
		'--reject-file=-',
		`--output=${output!}`,
		input!,
		patch!,
	];
	const after = spawnSync(gnuPatch, args).status === 0 ? readFileSync(output!, 'utf8') : undefined;
	// GNU patch puts the last line of a file before other lines, too, and then the two are one: that is not followed.
	const last = /\n\+([^\n]*)\n\\ No newline at end of file\n$/.exec(diff)?.[1];
	return last === undefined || after?.endsWith(`\n${last}`) === true || after === last ? after : undefined;
}

function byGit({ diff, before }: Drifted): string | undefined {
	writeFileSync(join(folder, 'file'), before);
	try {
		gitIn(folder, ['--git-dir=.', '--work-tree=.', 'apply', '--whitespace=nowarn', '-'], diff);
		return readFileSync(join(folder, 'file'), 'utf8');
	} catch {
		return undefined;
	}
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
function agrees(each: Drifted, ours: string | undefined): boolean {
	const git = byGit(each);
	if (ours === undefined && git === undefined && hasShortInsertion(each)) {
		return true;
	}
	const gnu = hasPatch ? byGnuPatch(each) : undefined;
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
		const cases = makeDrifted(counts({ small: 60, full: 300 }), createRandom(seed() + 1));
		let [fuzzy, refused, moved] = [0, 0, 0];
		for (const each of cases) {
			const outcome = applyDiff(each.before, each.diff, each.file);
			const ours = textOf(outcome);
			assert.ok(agrees(each, ours), `${each.diff}\n${each.before}`);
			const hunks = outcome.kind === 'applied' ? outcome.hunks : [];
			refused += ours === undefined ? 1 : 0;
			fuzzy += hunks.some(({ fuzz }) => fuzz > 0) ? 1 : 0;
			moved += hunks.some(({ offset }) => offset !== 0) ? 1 : 0;
		}
		assert.ok(refused > 1 && fuzzy > 0 && moved > 1, `${refused} ${fuzzy} ${moved} of ${cases.length}`);
	});
});
