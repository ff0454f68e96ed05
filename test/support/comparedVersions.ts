import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { rangeDiff, type RangeDiff } from 'patchmail/review/rangeDiff.ts';
import { rangeDiffText } from 'patchmail/review/rangeDiffText.ts';
import { rangePatch, type RangePatch } from 'patchmail/review/rangePatch.ts';
import type { Random } from './random.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { envelopeOf } from './envelopeOf.ts';
import { gitIn } from './patchMakerGit.ts';
import { rewriteHistory } from './rewrittenSeries.ts';

/** Compares patches of two versions synchronously. */
export function compared(
	before: readonly RangePatch[],
	after: readonly RangePatch[],
): Extract<RangeDiff, { kind: 'compared' }> {
	const made = runAtOnce(rangeDiff(before, after));
	assert.equal(made.kind, 'compared');
	return made.kind === 'compared' ? made : assert.fail();
}

/** Pairs of versions compared by their mails, and those that differ from `git range-diff`. */
export interface ComparedPairs {
	readonly count: number;
	readonly different: readonly string[];
}

/**
 * Creates pairs of versions out of this project's history in a folder, and compares ours with git's result for each.
 */
export async function comparedAsGit(folder: string, random: Random, wanted: number): Promise<ComparedPairs> {
	const pairs = rewriteHistory(folder, random, wanted);
	const different: string[] = [];
	for (const { before, after } of pairs) {
		const [old, young] = await Promise.all([fromMails(folder, before), fromMails(folder, after)]);
		const told = rangeDiffText(compared(old, young).pairs, old, young);
		const git = gitIn(folder, ['range-diff', '--no-color', before, after]).toString();
		if (told !== git) {
			different.push(`${before} ${after}\n${told}\ninstead of\n${git}`);
		}
	}
	return { count: pairs.length, different };
}

/** The patches of a range, read from `git format-patch` mails. */
async function fromMails(folder: string, range: string): Promise<readonly RangePatch[]> {
	const ids = gitIn(folder, ['log', '--reverse', '--format=%h', range]).toString().trim().split('\n');
	const mails = gitIn(folder, ['format-patch', '--stdout', range])
		.toString()
		.split(/^(?=From [0-9a-f]{40} Mon Sep 17)/m);
	return await Promise.all(
		mails.map(async (mail, index) => {
			const reading = await readMail(envelopeOf(Buffer.from(mail)), { evenIfLarge: true });
			const patch = patchMailOf(reading, reading.kind === 'read' ? reading.mail.subject : '');
			return rangePatch(patch ?? assert.fail(`no patch: ${mail.slice(0, 200)}`), ids[index]);
		}),
	);
}
