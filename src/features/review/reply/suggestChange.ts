import * as vscode from 'vscode';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import type { PatchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import { changeText } from 'patchmail/review/fixUp.ts';
import type { DraftComment, DraftLines, Suggestion } from 'patchmail/review/reviewDraft.ts';
import { isStated } from 'patchmail/patch/blobId.ts';
import { suggestedHunks } from 'patchmail/review/suggestedHunks.ts';
import { draftKey, type ReviewSubject } from '../../../store/drafts/drafts.ts';
import { forgetComment, keepComment, reviewDraft, reviewSubject } from '../../../store/drafts/reviewDrafts.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { draftPlaceAt, patchsetOf, readShown, type ShownDocument } from '../comments/documentPlaces.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';

/** Commands for suggestions: the user edits the proposed file, and the differences become review comments. */
export function suggestCommands(parts: ListsContext, files: PatchFiles): CommandTable {
	/** Copies with a running addition: a double click must not add it twice. */
	const adding = new Set<string>();
	return {
		'forge.review.suggestChange': (subject, signal) => suggestChange(parts, files, subject, signal),
		'forge.review.addSuggestions': async (subject, signal) => {
			const uri = addressIn(subject) ?? vscode.window.activeTextEditor?.document.uri;
			const about = uri && parts.mailDrafts.aboutOf(uri);
			if (about?.kind !== 'review' || about.part.kind !== 'suggestedFile') {
				return tellBriefly(vscode.l10n.t('Open the file in which you suggest changes first.'));
			}
			const key = draftKey(about);
			if (adding.has(key)) {
				return;
			}
			adding.add(key);
			try {
				await addFrom(parts, files, about, vscode.Uri.parse(about.part.document), signal);
			} finally {
				adding.delete(key);
			}
		},
	};
}

/** Opens an editable copy of the proposed file beside it. */
async function suggestChange(parts: ListsContext, files: PatchFiles, subject: unknown, signal: AbortSignal) {
	const given = addressIn(subject) ?? vscode.window.activeTextEditor?.document.uri;
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	const uris = [...(given ? [given] : []), ...(input instanceof vscode.TabInputTextDiff ? [input.modified] : [])];
	// A whole proposed file, else anything that shows a patch.
	let shown: { readonly uri: vscode.Uri; readonly document: ShownDocument } | undefined;
	for (const uri of uris) {
		const document = await readShown(parts.connections, files, uri, signal);
		if (document && isWholeProposed(document)) {
			shown = { uri, document };
			break;
		}
		shown ??= document && { uri, document };
	}
	if (!shown) {
		return tellBriefly(vscode.l10n.t('Open the diff of a patch and select a line first.'));
	}
	const { uri, document } = shown;
	const ref = patchsetOf(connectionOf(parts.connections, document.place), document.place);
	if (!ref || !isWholeProposed(document)) {
		void notify(
			'information',
			ref
				? vscode.l10n.t(
						'Changes can be suggested only in a whole file as a patch leaves it, which was not found here. Comment on the line instead.',
					)
				: vscode.l10n.t('This patch belongs to no patchset yet. Try again once all patches of its series are there.'),
		);
		return;
	}
	const of = { connectionKey: document.place.connectionKey, ref };
	await parts.mailDrafts.openBeside(reviewSubject(of, { kind: 'suggestedFile', document: uri.toString() }), {
		original: uri,
		title: vscode.l10n.t('{0} (suggested change)', visibleLine(uri.path.split('/').at(-1) ?? '')),
	});
}

/** Argument of a menu: a URI, or a line of a document. */
function addressIn(subject: unknown): vscode.Uri | undefined {
	const candidate = isRecord(subject) && 'uri' in subject ? subject['uri'] : subject;
	return isRecord(candidate) && candidate instanceof vscode.Uri ? candidate : undefined;
}

/** True for a document with the whole proposed file. */
function isWholeProposed({ place: { view }, patch }: ShownDocument): boolean {
	return (
		view.kind === 'wholeAfter' || (view.kind === 'only' && patch.diff.files[view.fileIndex]?.newPath !== undefined)
	);
}

/** Keeps what is different in the file as comments, one for each hunk, and closes the file. */
async function addFrom(
	parts: ListsContext,
	files: PatchFiles,
	about: ReviewSubject,
	original: vscode.Uri,
	signal: AbortSignal,
): Promise<void> {
	const { mailDrafts } = parts;
	const after = mailDrafts.textOf(about);
	const hunks = await placedHunks(parts, files, original, after, signal);
	if (!hunks) {
		void notify(
			'error',
			vscode.l10n.t("The patch of this file can't be read. Your text is kept: open its diff, then try again."),
		);
		return;
	}
	if (hunks.length === 0) {
		return tellBriefly(vscode.l10n.t('Nothing is different in this file yet.'));
	}
	if (mailDrafts.textOf(about) !== after) {
		return tellTypedSince();
	}
	const { drafts, clock, newName } = parts;
	const known = new Set(reviewDraft(drafts, about).comments.map(hunkKey));
	const kept: DraftComment[] = [];
	try {
		for (const { place, suggestion, text } of hunks.filter((each) => !known.has(hunkKey(each)))) {
			const comment = { place, suggestion, id: newName(), text };
			kept.push(comment);
			await keepComment(drafts, about, comment, clock.nowMs());
		}
	} catch (error) {
		await takeBack(parts, about, kept);
		throw error;
	}
	const added = kept;
	if (mailDrafts.textOf(about) !== after) {
		// The next addition will include all changes, so undo this one.
		await takeBack(parts, about, added);
		return tellTypedSince();
	}
	await mailDrafts.finish(about);
	tellBriefly(
		hunks.length === 1
			? vscode.l10n.t('1 suggested change saved as a draft comment')
			: vscode.l10n.t('{0} suggested changes saved as draft comments', hunks.length),
	);
}

/** `undefined` if a part is outside the patch. `after`: absent before the first change. */
async function placedHunks(
	parts: ListsContext,
	files: PatchFiles,
	original: vscode.Uri,
	after: string | undefined,
	signal: AbortSignal,
): Promise<readonly SuggestedComment[] | undefined> {
	const shown = await readShown(parts.connections, files, original, signal);
	if (!shown) {
		return undefined;
	}
	const before = (await vscode.workspace.openTextDocument(original)).getText();
	const hunks = await runResting(suggestedHunks(before, after ?? before), resting(parts.clock), signal);
	const { view } = shown.place;
	const newId = view.kind === 'only' ? shown.patch.diff.files[view.fileIndex]?.newId : undefined;
	// By its id: the visible text may lack CRs, escape characters, or come from another charset.
	const isWholeText = isStated(new TextEncoder().encode(before), view.kind === 'wholeAfter' ? view.content : newId);
	const placed = hunks.flatMap((hunk) => {
		const { touched, start, rows } = hunk;
		const place = draftPlaceAt(touched, shown);
		const first = draftPlaceAt({ start, end: start }, shown);
		const text = changeText(hunk, isWholeText);
		return place && first ? [{ place, suggestion: { firstLine: first.firstLine, rows }, text }] : [];
	});
	return placed.length === hunks.length ? placed : undefined;
}

interface SuggestedComment {
	readonly place: DraftLines;
	readonly suggestion: Suggestion;
	readonly text: string;
}

function tellTypedSince(): void {
	void notify(
		'information',
		vscode.l10n.t('No suggested change was saved, because you went on typing. Your text is kept: try again.'),
	);
}

/** The same text for the same change in the same place. */
function hunkKey({ place, suggestion }: DraftComment | SuggestedComment): string {
	return place.kind === 'lines' && suggestion
		? JSON.stringify([
				place.messageId,
				place.file,
				place.side,
				place.firstLine,
				place.line,
				suggestion.firstLine,
				suggestion.rows,
			])
		: '';
}

async function takeBack({ drafts }: ListsContext, of: ReviewSubject, comments: readonly DraftComment[]): Promise<void> {
	for (const comment of comments) {
		await forgetComment(drafts, of, comment);
	}
}
