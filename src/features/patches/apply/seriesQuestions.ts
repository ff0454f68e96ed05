import * as vscode from 'vscode';
import { choose, chooseSeveral, type TickChoice, type TickGroup } from '../../../editor/ask/ask.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { authorKey, authorsBehindLists, linksInReplies } from 'patchmail/series/offeredLines.ts';
import type { GivenTrailer } from 'patchmail/series/seriesReading.ts';
import { spokenAge } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { replaces } from 'patchmail/series/versions.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import { formedText } from '../../lists/subjects/problemTexts.ts';
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
	const newer = versions.filter((version) => replaces(version, patchset)).map((each) => each.patchset);
	if (newer.length === 0) {
		return review;
	}
	const rows = [...newer.toReversed(), patchset];
	const title = vscode.l10n.t('Choose a version: "{0}" is not the newest', visibleLine(patchset.subject));
	const chosen = await choose(
		title,
		rows.map((row) => ({
			label: vscode.l10n.t('Version {0}', row.version),
			description:
				row === patchset
					? vscode.l10n.t('the chosen patchset')
					: isNumbered(row.id)
						? vscode.l10n.t('patchset {0}', row.id)
						: formedText(row),
			value: row.id,
		})),
	);
	return chosen === review.ref.id ? review : reviews.read({ ...review.ref, id: chosen }, signal);
}

/**
 * The same review with the replies of this moment, and with the trailers that earlier versions of unchanged patches got.
 * `lacking`: number of own messages that the list does not have yet; they may give trailers, too.
 */
export function withAllReplies(
	{ reviews, lists, sentMails }: Connection,
	{ ref, threadId }: PatchsetReview,
	signal: AbortSignal,
): Promise<{ readonly review: PatchsetReview; readonly lacking: number }> {
	return withProgress(vscode.l10n.t('Loading replies…'), signal, async (working) => {
		const lacking = await sentMails.lacking(ref.list, working);
		if (threadId !== undefined) {
			lists.forgetThread(ref.list, threadId);
		}
		return { review: await reviews.readWithEarlier(ref, working), lacking };
	});
}

/**
 * Trailers of replies to add to commit messages, and authors of mails that a list sent. Links and trailers that someone
 * else sent start unchecked.
 */
export function trailerGroups(review: PatchsetReview, nowMs: number): readonly TickGroup<GivenTrailer>[] {
	const collected = review.trailers.filter(({ isInPatch }) => !isInPatch);
	const choiceOf = trailerChoice(review, nowMs);
	const offered = (trailer: GivenTrailer): TickChoice<GivenTrailer> => {
		const mail = review.mails.find(({ id }) => id === trailer.mailId);
		const detail = vscode.l10n.t('Sent by {0}', senderText(mail) ?? '');
		return { ...choiceOf(trailer), picked: trailer.key === authorKey, detail };
	};
	const [sure, doubtful] = [false, true].map((isForOther) =>
		collected.filter((each) => each.isForOther === isForOther).map(choiceOf),
	);
	return [
		{ heading: vscode.l10n.t('From the person named'), choices: sure ?? [] },
		{ heading: vscode.l10n.t('From someone else'), choices: doubtful ?? [] },
		{ heading: vscode.l10n.t('Links'), choices: linksInReplies(review.mails, review.series).map(offered) },
		{
			heading: vscode.l10n.t('Authors of messages that a list sent'),
			choices: authorsBehindLists(review.series).map(offered),
		},
	].filter(({ choices }) => choices.length > 0);
}

/** Asks for these trailers, if there are any. Throws `cancelled()` for a no. */
export async function askTrailers(
	connection: Connection,
	review: PatchsetReview,
	nowMs: number,
): Promise<readonly GivenTrailer[]> {
	const groups = trailerGroups(review, nowMs);
	if (groups.length === 0) {
		return [];
	}
	const chosen = await chooseSeveral(
		vscode.l10n.t('Choose trailers to add to the commit messages'),
		vscode.l10n.t('Collected from replies'),
		groups,
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
		const { earlierVersion, patchIndexes, condition, isForSeries } = trailer;
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
			picked: !trailer.isForOther && condition === undefined && isForSeries !== true,
			value: trailer,
		};
		if (condition !== undefined || isForSeries) {
			const detail =
				condition === undefined
					? vscode.l10n.t('Given to the whole series in a reply to another patch.')
					: vscode.l10n.t('Given on a condition: "{0}"', visibleLine(condition));
			return { ...row, description: patches, detail };
		}
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
