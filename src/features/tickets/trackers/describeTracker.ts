import * as vscode from 'vscode';
import { confirm, notify, tellBriefly } from '../../../editor/notify.ts';
import { withProgress } from '../../../editor/progress.ts';
import { connectionOf } from '../../../editor/subjects.ts';
import { trackerRefText } from '../../../forge/tracker.ts';
import type { Connections } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { DraftDocuments } from '../drafts/draftDocuments.ts';
import { draftOfUri, draftUri, type DocumentSubject } from '../drafts/draftUri.ts';
import { descriptionComplaint } from './createTracker.ts';

/** What describing needs. */
export interface DescribeParts {
	readonly connections: Connections;
	readonly documents: Pick<DraftDocuments, 'textOf' | 'finish'>;
	/** What the document was opened with, to tell what somebody else wrote meanwhile. */
	readonly firstTexts: Map<string, string>;
}

type DescriptionSubject = Extract<DocumentSubject, { readonly kind: 'description' }>;

/** The description that a document is about; `undefined` for all other documents. */
export function descriptionOf(uri: vscode.Uri): DescriptionSubject | undefined {
	const about = draftOfUri(uri);
	return about?.kind === 'description' ? about : undefined;
}

/** Sends the text of a description's document, and closes it when the forge has it. */
export async function saveDescription(
	{ connections, documents, firstTexts }: DescribeParts,
	about: DescriptionSubject,
	signal: AbortSignal,
): Promise<void> {
	const written = documents.textOf(about);
	if (written === undefined) {
		return;
	}
	const text = written.trim().replaceAll('\r\n', '\n');
	const complaint = descriptionComplaint(text);
	if (complaint !== undefined) {
		void notify('warning', complaint);
		return;
	}
	const { forge, tickets } = connectionOf(connections, about);
	const { tracker: ref } = about;
	const name = visibleLine(trackerRefText(ref));
	const now = await forge.trackers.tracker(ref, signal);
	const key = draftUri(about).toString();
	const first = firstTexts.get(key);
	if (first !== undefined && (now.description ?? '').trim() !== first.trim() && !(await confirmOverwrite(name))) {
		return;
	}
	const answered = await withProgress(vscode.l10n.t('Saving…'), signal, (working) =>
		forge.trackers.update(ref, text, working),
	);
	tickets.apply({ kind: 'trackerChanged', tracker: answered ?? { ...now, description: text } });
	const since = documents.textOf(about);
	if (since === undefined || since === written) {
		tellBriefly(vscode.l10n.t('Saved the description of {0}', name));
		await documents.finish(about);
		// Opened again it says what the forge says by then.
		firstTexts.delete(key);
		return;
	}
	// What is typed on stands on what was saved now.
	firstTexts.set(key, text);
	void notify(
		'information',
		vscode.l10n.t('The description of {0} was saved without what you typed since. Your text is kept.', name),
	);
}

function confirmOverwrite(name: string): Promise<boolean> {
	return confirm(
		vscode.l10n.t('The description of {0} was changed meanwhile.', name),
		vscode.l10n.t('Saving puts your text in the place of what is there now.'),
		vscode.l10n.t('Save All the Same'),
	);
}
