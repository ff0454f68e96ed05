import * as vscode from 'vscode';
import { chooseSeveral, type TickChoice } from '../../../editor/ask/ask.ts';
import { authorKey, authorsBehindLists, linksInReplies } from '../../../engine/series/offeredLines.ts';
import type { GivenTrailer } from '../../../engine/series/seriesReading.ts';
import type { PatchsetReview } from '../../../store/lists/review/patchsetReview.ts';
import { spokenAge } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { personText } from '../subjects/words.ts';

/**
 * Asks for trailers of replies to add to commit messages, and for authors of mails that a list sent. Links and trailers that
 * someone else sent start unchecked. Asks nothing if there are none. Throws `cancelled()` for a no.
 */
export async function askTrailers(
	review: Pick<PatchsetReview, 'trailers' | 'mails' | 'series'>,
	nowMs: number,
): Promise<readonly GivenTrailer[]> {
	const collected = review.trailers.filter(({ isInPatch }) => !isInPatch);
	const authors = authorsBehindLists(review.series);
	const links = linksInReplies(review.mails, review.series);
	if (collected.length + authors.length + links.length === 0) {
		return [];
	}
	const choiceOf = trailerChoice(review, nowMs);
	const sentBy = (trailer: GivenTrailer): string => {
		const mail = review.mails.find(({ id }) => id === trailer.mailId);
		return vscode.l10n.t('Sent by {0}', senderText(mail) ?? '');
	};
	const offered = (trailer: GivenTrailer): TickChoice<GivenTrailer> => ({
		...choiceOf(trailer),
		picked: trailer.key === authorKey,
		detail: sentBy(trailer),
	});
	const [sure, doubtful] = [false, true].map((isForOther) =>
		collected.filter((each) => each.isForOther === isForOther).map(choiceOf),
	);
	return await chooseSeveral(
		vscode.l10n.t('Choose trailers to add to the commit messages'),
		vscode.l10n.t('Collected from replies'),
		[
			{ heading: vscode.l10n.t('From the person named'), choices: sure ?? [] },
			{ heading: vscode.l10n.t('From someone else'), choices: doubtful ?? [] },
			{ heading: vscode.l10n.t('Links'), choices: links.map(offered) },
			{ heading: vscode.l10n.t('Authors of messages that a list sent'), choices: authors.map(offered) },
		],
	);
}

function trailerChoice(
	{ mails, series }: Pick<PatchsetReview, 'mails' | 'series'>,
	nowMs: number,
): (trailer: GivenTrailer) => TickChoice<GivenTrailer> {
	const byId = new Map(mails.map((mail) => [mail.id, mail]));
	return (trailer) => {
		const mail = byId.get(trailer.mailId);
		const age = mail ? spokenAge(mail.createdMs, nowMs, vscode.env.language) : '';
		const patches = patchesText(trailer, series.patches.length);
		const row = {
			label: visibleLine(`${trailer.key}: ${trailer.value}`),
			picked: !trailer.isForOther,
			value: trailer,
		};
		if (trailer.isForOther) {
			return { ...row, description: age === '' ? patches : `${patches} · ${age}`, detail: doubtText(mail) };
		}
		// Next to this group's longer heading the age would be cut off.
		return { ...row, description: patches, ...(age === '' ? {} : { detail: age }) };
	};
}

function patchesText({ patchIndexes }: GivenTrailer, count: number): string {
	if (patchIndexes.length === count) {
		return vscode.l10n.t('all patches');
	}
	const [only = 0] = patchIndexes;
	return patchIndexes.length === 1
		? vscode.l10n.t('patch {0}', only)
		: vscode.l10n.t('patches {0}', new Intl.ListFormat(vscode.env.language).format(patchIndexes.map(String)));
}

function doubtText(mail: PatchsetReview['mails'][number] | undefined): string {
	const sender = senderText(mail);
	return sender === undefined
		? vscode.l10n.t('Not sure: the message is from someone else.')
		: vscode.l10n.t('Not sure: the message is from {0}.', sender);
}

function senderText(mail: PatchsetReview['mails'][number] | undefined): string | undefined {
	const [sender] = mail && mail.reading.kind !== 'raw' ? mail.reading.mail.from : [];
	return sender && personText(sender);
}
