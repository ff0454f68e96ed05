import * as vscode from 'vscode';
import { choose, chooseSeveral, confirmOrCancel, type TickChoice } from '../../../editor/ask/ask.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { authorKey, authorsBehindLists, linksInReplies } from 'patchmail/series/offeredLines.ts';
import type { GivenTrailer, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { spokenAge } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Connection } from '../../../store/connection.ts';
import { failureOfMails, type PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { leftOutAdvice, seriesProblemText } from '../../lists/subjects/problemTexts.ts';
import { personText } from '../../lists/subjects/words.ts';
import { offerSamePeople } from './secondAddresses.ts';

/*
 * Questions about a series before git gets it: to check, apply, save or copy.
 */

/** Loads a patchset, and asks for a version if newer ones exist, the newest first. Throws `cancelled()` when closed. */
export async function askVersion(
	{ reviews }: Connection,
	ref: PatchsetRef,
	signal: AbortSignal,
): Promise<PatchsetReview> {
	const review = await withProgress(vscode.l10n.t('Loading patches…'), signal, (working) => reviews.read(ref, working));
	const { patchset, versions } = review;
	const newer = versions
		.filter(({ patchset: { version }, link }) => version > patchset.version && link !== 'claimed')
		.map((each) => each.patchset);
	if (newer.length === 0) {
		return review;
	}
	const rows = [...newer.toSorted((one, other) => other.version - one.version), patchset];
	const title = vscode.l10n.t('Choose a version: "{0}" is not the newest', visibleLine(patchset.subject));
	const chosen = await choose(
		title,
		rows.map((row) => ({
			label: vscode.l10n.t('Version {0}', row.version),
			description:
				row === patchset
					? vscode.l10n.t('the chosen patchset')
					: firstMailOfFormed(row.id) === undefined
						? vscode.l10n.t('patchset {0}', row.id)
						: vscode.l10n.t('came as a reply'),
			value: row.id,
		})),
	);
	return chosen === review.ref.id ? review : reviews.read({ ...review.ref, id: chosen }, signal);
}

/** The same review with the trailers that earlier versions of unchanged patches got. */
export function withEarlierTrailers(
	{ reviews }: Connection,
	{ ref }: PatchsetReview,
	signal: AbortSignal,
): Promise<PatchsetReview> {
	const title = vscode.l10n.t('Loading earlier versions…');
	return withProgress(title, signal, (working) => reviews.readWithEarlier(ref, working));
}

/**
 * Asks for trailers of replies to add to commit messages, and for authors of mails that a list sent. Links and trailers that
 * someone else sent start unchecked. Asks nothing if there are none. Throws `cancelled()` for a no.
 */
export async function askTrailers(
	connection: Connection,
	review: PatchsetReview,
	nowMs: number,
): Promise<readonly GivenTrailer[]> {
	const collected = review.trailers.filter(({ isInPatch }) => !isInPatch);
	const authors = authorsBehindLists(review.series);
	const links = linksInReplies(review.mails, review.series);
	if (collected.length + authors.length + links.length === 0) {
		return [];
	}
	const choiceOf = trailerChoice(review, nowMs);
	const offered = (trailer: GivenTrailer): TickChoice<GivenTrailer> => {
		const mail = review.mails.find(({ id }) => id === trailer.mailId);
		const detail = vscode.l10n.t('Sent by {0}', senderText(mail) ?? '');
		return { ...choiceOf(trailer), picked: trailer.key === authorKey, detail };
	};
	const [sure, doubtful] = [false, true].map((isForOther) =>
		collected.filter((each) => each.isForOther === isForOther).map(choiceOf),
	);
	const chosen = await chooseSeveral(
		vscode.l10n.t('Choose trailers to add to the commit messages'),
		vscode.l10n.t('Collected from replies'),
		[
			{ heading: vscode.l10n.t('From the person named'), choices: sure ?? [] },
			{ heading: vscode.l10n.t('From someone else'), choices: doubtful ?? [] },
			{ heading: vscode.l10n.t('Links'), choices: links.map(offered) },
			{ heading: vscode.l10n.t('Authors of messages that a list sent'), choices: authors.map(offered) },
		],
	);
	void offerSamePeople(connection, chosen);
	return chosen;
}

function trailerChoice(
	{ mails, series }: PatchsetReview,
	nowMs: number,
): (trailer: GivenTrailer) => TickChoice<GivenTrailer> {
	const byId = new Map(mails.map((mail) => [mail.id, mail]));
	return (trailer) => {
		const mail = byId.get(trailer.mailId);
		const age = mail ? spokenAge(mail.createdMs, nowMs, vscode.env.language) : '';
		const { earlierVersion, patchIndexes } = trailer;
		const [only = 0] = patchIndexes;
		const indexes =
			patchIndexes.length === series.patches.length
				? vscode.l10n.t('all patches')
				: patchIndexes.length === 1
					? vscode.l10n.t('patch {0}', only)
					: vscode.l10n.t('patches {0}', new Intl.ListFormat(vscode.env.language).format(patchIndexes.map(String)));
		const patches =
			earlierVersion === undefined
				? indexes
				: `${indexes} · ${vscode.l10n.t('given on v{0}, patch unchanged', earlierVersion)}`;
		const row = {
			label: visibleLine(`${trailer.key}: ${trailer.value}`),
			picked: !trailer.isForOther,
			value: trailer,
		};
		if (trailer.isForOther) {
			const sender = senderText(mail);
			const detail =
				sender === undefined
					? vscode.l10n.t('Not sure: the message is from someone else.')
					: vscode.l10n.t('Not sure: the message is from {0}.', sender);
			return { ...row, description: age === '' ? patches : `${patches} · ${age}`, detail };
		}
		// Next to this group's longer heading the age would be cut off.
		return { ...row, description: patches, ...(age === '' ? {} : { detail: age }) };
	};
}

function senderText(mail: PatchsetReview['mails'][number] | undefined): string | undefined {
	const [sender] = mail && mail.reading.kind !== 'raw' ? mail.reading.mail.from : [];
	return sender && personText(sender);
}

/** Asks about patches that cannot take the chosen trailers. Throws `cancelled()` for a no. */
export async function askWithoutTrailers(indexes: readonly number[], action: string): Promise<void> {
	if (indexes.length === 0) {
		return;
	}
	const numbers = new Intl.ListFormat(vscode.env.language).format(indexes.map(String));
	const text = vscode.l10n.t("Trailers can't be added to these patches: {0}.", numbers);
	const detail = vscode.l10n.t('Their commits would lack the trailers that you chose. Cancel to add them by hand.');
	await confirmOrCancel(text, detail, action);
}

/** Number of announced but missing patches. Throws the error of a failed read, since the patches may exist. */
export function missingPatches({ series, failures }: PatchsetReview): number {
	const missing = Math.max(0, series.count - series.patches.length);
	const failure = failureOfMails({ failures });
	if (missing > 0 && failure) {
		throw failure.error;
	}
	return missing;
}

/** Asks if replies failed to load or to parse: their trailers would silently be missing. Throws `cancelled()` for a no. */
export async function askUnread(review: PatchsetReview, action: string): Promise<void> {
	const isWhole = review.failures.every(({ part }) => part === 'versions');
	if (isWhole && !review.series.problems.some(({ kind }) => kind === 'rawReply')) {
		return;
	}
	const detail = vscode.l10n.t(
		'Trailers that they give, such as Reviewed-by, may be missing. To get them, cancel and try again later.',
	);
	await confirmOrCancel(vscode.l10n.t('Not all replies could be read.'), detail, action);
}

/**
 * Asks about further patches of the sender, and about patches that git may read differently or that the parser
 * rejected. Throws `cancelled()` for a no.
 */
export async function askInDoubt({ problems }: SeriesReading, action: string): Promise<void> {
	const leftOut = problems.find(({ kind }) => kind === 'leftOut');
	if (leftOut) {
		await confirmOrCancel(seriesProblemText(leftOut), leftOutAdvice(), action);
	}
	const doubts = problems.filter(
		(problem) =>
			problem.kind === 'inDoubt' || problem.kind === 'noPrefix' || (problem.kind === 'shownRaw' && problem.index > 0),
	);
	if (doubts.length === 0) {
		return;
	}
	const detail = Array.from(new Set(doubts.map(seriesProblemText))).join('\n');
	await confirmOrCancel(vscode.l10n.t('Git may apply something other than what is shown.'), detail, action);
}
