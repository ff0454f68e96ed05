import * as vscode from 'vscode';
import { Disposables } from '../../../base/lifecycle.ts';
import { asText, type Choice } from '../../../editor/ask/ask.ts';
import { nextAccepted } from '../../../editor/ask/nextAccepted.ts';
import { shortAge } from '../../../text/age.ts';
import { titleOf } from '../subjects/words.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ArchivedMail } from '../../../state/lists/listArchives.ts';
import { subjectOf } from './archivedSearch.ts';

/** Hits of an archive search. */
export interface FoundMails {
	/** Newest first. */
	readonly mails: readonly ArchivedMail[];
	readonly title: string;
	readonly nowMs: number;
}

/** Longer lists are hard to scan; another word narrows them. */
const mostRows = 1000;

/** Asks for a mail; `back` starts another search. Throws an abort if the user closes the box. */
export async function chooseArchived(
	{ mails, title, nowMs }: FoundMails,
	signal: AbortSignal,
): Promise<ArchivedMail | 'back'> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<Choice<ArchivedMail | 'back'>>());
	const back = Promise.withResolvers<'back'>();
	box.title = title;
	box.placeholder =
		mails.length > mostRows
			? vscode.l10n.t(
					'Messages that match: {0}. The newest {1} are shown; go back to add a word.',
					mails.length,
					mostRows,
				)
			: vscode.l10n.t('Messages that match: {0}', mails.length);
	box.matchOnDescription = true;
	box.ignoreFocusOut = true;
	box.buttons = [vscode.QuickInputButtons.Back];
	box.items = mails.length === 0 ? [nothingFound()] : mails.slice(0, mostRows).map((mail) => rowOf(mail, nowMs));
	owned.add(box.onDidTriggerButton(() => back.resolve('back')));
	box.show();
	for (;;) {
		const chosen = await Promise.race([back.promise, nextAccepted(box, signal)]);
		if (chosen !== undefined) {
			return chosen === 'back' ? chosen : chosen.value;
		}
	}
}

function nothingFound(): Choice<'back'> {
	return {
		label: vscode.l10n.t('No message matches'),
		description: vscode.l10n.t('go back to change the search'),
		iconPath: new vscode.ThemeIcon('arrow-left'),
		alwaysShow: true,
		value: 'back',
	};
}

function rowOf(mail: ArchivedMail, nowMs: number): Choice<ArchivedMail> {
	const { reading } = mail;
	const [from] = reading.kind === 'read' ? reading.mail.from : [];
	const dateMs = reading.kind === 'read' ? reading.mail.dateMs : undefined;
	const about = [
		...(from ? [visibleLine(from.name === '' ? from.address : from.name)] : []),
		...(dateMs === undefined ? [] : [shortAge(dateMs, nowMs, vscode.env.language)]),
	];
	return asText({
		label: titleOf(subjectOf(mail)),
		description: about.join(' · '),
		value: mail,
	});
}
