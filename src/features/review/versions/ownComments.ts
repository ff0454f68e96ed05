import * as vscode from 'vscode';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { commentOutcomes, outcomeCounts, type CommentOutcome } from 'patchmail/review/commentOutcomes.ts';
import { senderKey } from 'patchmail/series/ownTrailer.ts';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import type { SeriesMail } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import { isOwnWriter, writerOfRead } from '../../../store/people/sentBy.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { outcomesText, outcomeText } from '../../lists/reviewState/outcomeTexts.ts';
import { firstLineOf } from '../../lists/reviewState/reviewWords.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { lastAnswered } from '../comments/lastReviewed.ts';
import { newestVersion } from './newestVersion.ts';
import { comparePair } from './versionTexts.ts';

/** The account's comments on the last version that it replied to. */
export interface OwnComments {
	/** The version with the comments. */
	readonly earlier: PatchsetReview;
	/** The version that may have changed their lines. */
	readonly later: PatchsetReview;
	readonly outcomes: readonly CommentOutcome[];
}

const longestHunkLine = 120;

/** Shows what became of the user's comments in the newest version. A row opens the place there, or the reply. */
export async function showOwnComments(
	context: ListsContext,
	subject: PatchsetSubject,
	signal: AbortSignal,
): Promise<void> {
	const connection = connectionOf(context.connections, subject);
	const read = await withProgress(vscode.l10n.t('Comparing versions…'), signal, async (working) => {
		const asked = await connection.reviews.read(subject.ref, working);
		const newest = newestVersion(asked);
		const later = newest ? await connection.reviews.read(newest, working) : asked;
		return ownComments(context, connection, later, working);
	});
	if (!read || read.outcomes.length === 0) {
		void notify('information', vscode.l10n.t('You commented on no earlier version of this patchset.'));
		throw cancelled();
	}
	const { earlier, later, outcomes } = read;
	const chosen = await choose(
		outcomesText(earlier.patchset.version, outcomeCounts(outcomes)),
		outcomes.map(rowOf),
		vscode.l10n.t('Which comment do you want to see in v{0}?', later.patchset.version),
	);
	await openOutcome(chosen, { ...subject, ref: later.ref });
}

/** Of a version; `undefined` if the account replied to no earlier one. */
export async function ownComments(
	{ reviews, clock, problems }: ListsContext,
	connection: Connection,
	later: PatchsetReview,
	signal: AbortSignal,
): Promise<OwnComments | undefined> {
	const { ref } = later;
	const answered = await lastAnswered(problems.log, connection, later, signal);
	if (!answered) {
		return undefined;
	}
	const earlier = await connection.reviews.read({ list: ref.list, id: answered.patchset.id }, signal);
	const pair = { earlier: earlier.series, later: later.series };
	const { threads } = await reviews.of(earlier, signal);
	const { compared } = await comparePair(pair, clock, signal);
	const authors = new Set([...pair.earlier.patches, ...pair.later.patches].map(({ mail }) => senderKey(mail)));
	const isMine = (mail: SeriesMail): boolean => isOwnWriter(connection, writerOfRead(mail));
	const outcomes = await runResting(
		commentOutcomes(
			threads,
			{ ...pair, pairs: compared.kind === 'compared' ? compared.pairs : [] },
			isMine,
			(mail) => !isMine(mail) && authors.has(senderKey(mail)),
		),
		resting(clock),
		signal,
	);
	return { earlier, later, outcomes };
}

function rowOf(outcome: CommentOutcome): Choice<CommentOutcome> {
	const { comment, hunk, answer } = outcome;
	const changed = hunk.filter((line) => /^[+-]/.test(line)).slice(0, 3);
	const lines = changed.length > 0 ? changed : answer ? [firstLineOf(answer)] : [];
	return {
		label: firstLineOf(comment),
		description: outcomeText(outcome),
		detail: lines.map((line) => shortLine(visibleLine(line), longestHunkLine)).join('  '),
		value: outcome,
	};
}

/** Opens the place in the later version, else the reply. */
export async function openOutcome({ at, comment, answer }: CommentOutcome, patchset: PatchsetSubject): Promise<void> {
	const { connectionKey, ref } = patchset;
	const mail = { kind: 'mail', connectionKey, list: ref.list };
	if (at?.kind === 'line' || at?.kind === 'file') {
		const place = at.kind === 'line' ? { at: at.start } : {};
		const file = { mailId: at.mailId, fileIndex: at.file, ...place };
		await vscode.commands.executeCommand('forge.patchsets.openDiff', {
			kind: 'patchFile',
			connectionKey,
			list: ref.list,
			patchsetId: ref.id,
			...file,
		});
	} else {
		await vscode.commands.executeCommand('forge.lists.openMail', { ...mail, id: (answer ?? comment).mail.id });
	}
}
