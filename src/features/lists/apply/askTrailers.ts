import * as vscode from 'vscode';
import { chooseSeveral, type TickChoice } from '../../../editor/ask/ask.ts';
import type { GivenTrailer } from '../../../series/seriesReading.ts';
import type { PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import { spokenAge } from '../../../text/age.ts';
import { visibleLine } from '../../../text/visible.ts';
import { personText } from '../subjects/words.ts';

/** Trailers that replies gave to the series and its patches do not carry yet. */
function collectedTrailers({ trailers }: Pick<PatchsetReview, 'trailers'>): readonly GivenTrailer[] {
	return trailers.filter(({ isInPatch }) => !isInPatch);
}

/**
 * Asks which trailers of replies are added to the commit messages. Those that are not from the person whom they name are
 * unchecked. Asks nothing where there are none; throws `cancelled()` when the question is closed.
 */
export async function askTrailers(
	review: Pick<PatchsetReview, 'trailers' | 'mails' | 'series'>,
	nowMs: number,
): Promise<readonly GivenTrailer[]> {
	const collected = collectedTrailers(review);
	if (collected.length === 0) {
		return [];
	}
	const choiceOf = trailerChoice(review, nowMs);
	const [sure, doubtful] = [false, true].map((isForOther) =>
		collected.filter((each) => each.isForOther === isForOther).map(choiceOf),
	);
	return await chooseSeveral(
		vscode.l10n.t('Choose trailers to add to the commit messages'),
		vscode.l10n.t('Collected from replies'),
		[
			{ heading: vscode.l10n.t('From the person named'), choices: sure ?? [] },
			{ heading: vscode.l10n.t('From someone else'), choices: doubtful ?? [] },
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
		// Beside the longer heading of these the age would be cut off.
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
	const [sender] = mail && mail.reading.kind !== 'raw' ? mail.reading.mail.from : [];
	return sender
		? vscode.l10n.t('Not sure: the mail is from {0}.', personText(sender))
		: vscode.l10n.t('Not sure: the mail is from someone else.');
}
