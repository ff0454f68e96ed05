import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../support/random.ts';
import { comparedAsGit } from '../support/comparedVersions.ts';
import { seed } from '../support/counts.ts';
import { replyCorpus, type CorpusThread } from '../support/replyCorpus.ts';
import { damages, grouped, isInline, outcomesOf, withDamage, type Outcome } from '../support/replyPlacement.ts';
import { countFigure, counted, shareFigure } from './figures.ts';
import type { Figure, Size } from './measurement.ts';

/** Pairs of versions, and conversations of the corpus. */
const sizes = { full: { pairs: 200, threads: Infinity }, smallest: { pairs: 3, threads: 1 } } as const;
const leastShare = 0.95;

/** Share of replies that appear where a person placed them, and versions compared as git compares them. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { pairs, threads } = sizes[size];
	return [...placement((await replyCorpus()).slice(0, threads)), await versions(pairs)];
}

function placement(threads: readonly CorpusThread[]): readonly Figure[] {
	const outcomes = threads.flatMap(outcomesOf);
	const inline = outcomes.filter(isInline);
	const mails = threads.reduce((sum, { replies }) => sum + replies.length, 0);
	const mailers = grouped(outcomes, 'mailer');
	const listed = [mailers, grouped(outcomes, 'style')].map((groups) =>
		groups.map(([name, some]) => `${name} ${rightOf(some)}`).join(', '),
	);
	const damaged = Object.values(damages).map((damage) =>
		threads.map((each) => withDamage(each, damage)).flatMap(outcomesOf),
	);
	const worst = damaged.toSorted((one, other) => shareOf(one) - shareOf(other))[0] ?? [];
	const corpus = `${counted(outcomes.length)} comments in ${counted(mails)} replies`;
	return [
		placed('Comments on lines and files of patches that stand where a person says', inline, rightOf(inline)),
		placed(
			`All comments of replies that do, of ${mailers.length} mail programs`,
			outcomes,
			[corpus, ...listed].join('; '),
		),
		placed(
			`The same where programs changed what they quote, in the worst of ${damaged.length} ways`,
			worst,
			rightOf(worst),
		),
		countFigure('Comments dropped', 0, outcomes.filter(({ comment }) => comment === undefined).length, corpus),
	];
}

function placed(name: string, outcomes: readonly Outcome[], detail: string): Figure {
	return shareFigure(name, shareOf(outcomes), leastShare, detail);
}

function shareOf(outcomes: readonly Outcome[]): number {
	return outcomes.filter(({ isRight }) => isRight).length / outcomes.length;
}

function rightOf(outcomes: readonly Outcome[]): string {
	return `${outcomes.filter(({ isRight }) => isRight).length} of ${outcomes.length}`;
}

async function versions(wanted: number): Promise<Figure> {
	using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-versions-'));
	const { count, different } = await comparedAsGit(folder.path, createRandom(seed()), wanted);
	return countFigure(
		'Versions compared from their mails as git range-diff compares their commits',
		wanted,
		count - different.length,
		`${count} pairs of this project’s history`,
	);
}
