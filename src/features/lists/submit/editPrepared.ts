import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { reviewMailText } from '../../../review/editedMail.ts';
import { visibleLine } from '../../../text/visible.ts';
import { recipientsText } from '../reply/sendWords.ts';
import type { PreparedSeries } from './keptSeries.ts';
import { coverOf, headOf, patchOf, withEdits } from './preparedMails.ts';
import { readSeries } from './readSeries.ts';
import type { SubmitParts } from './submitParts.ts';
import { coverFaultText } from './submitWords.ts';

/** Opens a mail of a series that is not sent yet as a document; asks which one. Throws `GitFailure`. */
export async function editPrepared(parts: SubmitParts, series: PreparedSeries, signal: AbortSignal): Promise<void> {
	const { documents } = parts;
	const read = await withProgress(vscode.l10n.t('Preparing patches…'), signal, (working) =>
		readSeries(parts, series, working),
	);
	if ('fault' in read) {
		await documents.open(coverOf(series));
		void notify('warning', coverFaultText(read.fault));
		return;
	}
	const { mails, made, edited } = read;
	const open = mails.flatMap((mail, at): readonly Choice<number>[] => {
		const isEdited = edited.has(at) ? { description: vscode.l10n.t('edited') } : {};
		return isStillHere(series, at)
			? [{ label: visibleLine(mail.subject), ...isEdited, detail: recipientsText([mail]), value: at }]
			: [];
	});
	if (open.length === 0) {
		void notify('information', vscode.l10n.t('No message to edit: all of them were sent, or may have been.'));
		return;
	}
	const at = await choose(vscode.l10n.t('Choose a message to edit'), open);
	// Reload: it may have been sent or edited during the question.
	const now = parts.series.of(series.connectionKey, series.id);
	if (!now || !isStillHere(now, at)) {
		void notify('information', vscode.l10n.t("This message was sent since, or may have been, so it can't be edited."));
		return;
	}
	const mail = made[at];
	if (!mail || (at === 0 && now.hasCover)) {
		await documents.open(coverOf(now));
		return;
	}
	const about = patchOf(now, at);
	const text = reviewMailText(mail);
	if (!withEdits(documents, now, made).edited.has(at)) {
		// An unchanged mail starts again with the current recipients.
		await (documents.textOf(about) === text ? undefined : documents.finish(about));
		await noteHead(parts, now, { at, madeHead: headOf(text) });
	}
	await documents.open(about, text);
}

/** Whether it certainly did not go out. */
function isStillHere({ mails }: PreparedSeries, at: number): boolean {
	const kind = mails[at]?.progress.kind;
	return kind === 'waiting' || kind === 'notSent';
}

/** Reload the stored series: another window may be sending it. */
async function noteHead(
	{ series }: Pick<SubmitParts, 'series'>,
	{ connectionKey, id }: PreparedSeries,
	{ at, madeHead }: { readonly at: number; readonly madeHead: string },
): Promise<void> {
	const known = series.of(connectionKey, id);
	if (known) {
		const mails = known.mails.map((each, place) => (place === at ? { ...each, madeHead } : each));
		await series.put({ ...known, mails });
	}
}
