import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { reviewMailText } from '../../../review/editedMail.ts';
import { visibleLine } from '../../../text/visible.ts';
import { recipientsText } from '../reply/sendWords.ts';
import type { PreparedSeries } from './keptSeries.ts';
import { coverOf, headOf, patchOf } from './preparedMails.ts';
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
		const kind = series.mails[at]?.progress.kind;
		const isEdited = edited.has(at) ? { description: vscode.l10n.t('edited') } : {};
		return kind === 'waiting' || kind === 'notSent'
			? [{ label: visibleLine(mail.subject), ...isEdited, detail: recipientsText([mail]), value: at }]
			: [];
	});
	if (open.length === 0) {
		void notify('information', vscode.l10n.t('No mail to edit: all of them were sent, or may have been.'));
		return;
	}
	const at = await choose(vscode.l10n.t('Choose a mail to edit'), open);
	const mail = made[at];
	if (!mail || (at === 0 && series.hasCover)) {
		await documents.open(coverOf(series));
		return;
	}
	const about = patchOf(series, at);
	const text = reviewMailText(mail);
	const known = parts.series.of(series.connectionKey, series.id);
	if (known && !edited.has(at)) {
		// One that nobody changed begins anew with the recipients as they are now.
		await (documents.textOf(about) === text ? undefined : documents.finish(about));
		const madeHead = headOf(text);
		const noted = known.mails.map((each, place) => (place === at ? { ...each, madeHead } : each));
		await parts.series.put({ ...known, mails: noted });
	}
	await documents.open(about, text);
}
