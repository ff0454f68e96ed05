import * as vscode from 'vscode';
import { addressKey, tabAddresses } from '../../../editor/links/tabAddresses.ts';
import type { PatchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import type { PatchsetRef } from '../../../forge/port/list.ts';
import type { CommentPlace } from '../../../engine/review/reviewComment.ts';
import type { ReadingPlace, ReviewThread } from '../../../engine/review/reviewThreads.ts';
import type { ListsDesk } from '../parts/listsDesk.ts';
import type { CommentThreads } from '../review/commentThreads.ts';
import type { RepliesReview } from '../parts/patchsetReviews.ts';
import { patchsetOf, readShown, lineOfPlace, placeOfLine, sideOfDocument } from '../review/documentPlaces.ts';
import type { PatchFileSubject } from '../subjects/subjects.ts';

/** The patchset of a comment. */
interface OfPatchset {
	readonly connectionKey: string;
	readonly ref: PatchsetRef;
}

/** Text editors that show patches, as places of comments. */
export type CommentEditors = ReturnType<typeof commentEditors>;

export function commentEditors({ connections }: ListsDesk, files: PatchFiles, threads: CommentThreads) {
	/** Last opened thread and its position, since several may share a line. */
	let last: { readonly uri: string; readonly line: number; readonly key: string } | undefined;
	/** Last opened thread without a text. Steps start behind it until a text is active. */
	let unseen: (OfPatchset & { readonly key: string }) | undefined;

	async function goTo({ key, place }: ReviewThread, fileIndex: number, signal: AbortSignal): Promise<boolean> {
		const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
		for (const editor of editorsOf(input)) {
			const { uri } = editor.document;
			const shown = await readShown(connections, files, editor.document.uri, signal);
			const line = shown && lineOfPlace(place, shown);
			const view = shown?.place.view;
			if (shown && view && view.kind !== 'raw' && view.fileIndex === fileIndex && line !== undefined) {
				if (input instanceof vscode.TabInputTextDiff) {
					await vscode.commands.executeCommand(
						sideOfDocument(shown) === 'old'
							? 'workbench.action.compareEditor.focusSecondarySide'
							: 'workbench.action.compareEditor.focusPrimarySide',
					);
				}
				last = { uri: uri.toString(), line, key };
				// Unfold first: threads above the line push it down. The centre leaves room for the thread below it.
				await threads.unfold(uri, key);
				editor.selection = new vscode.Selection(line, 0, line, 0);
				editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenter);
				return true;
			}
		}
		return false;
	}

	return {
		/** Patchset of the active editor and the cursor's place in it; `undefined` for other documents. */
		async inFront(
			signal: AbortSignal,
		): Promise<(OfPatchset & { readonly from: (review: RepliesReview) => ReadingPlace | undefined }) | undefined> {
			const editor = vscode.window.activeTextEditor;
			if (!editor && unseen) {
				const { key, ...of } = unseen;
				return { ...of, from: (review) => placeOfKey(review, key) };
			}
			const shown = editor && (await readShown(connections, files, editor.document.uri, signal));
			const connection = connections.byKey(shown?.place.connectionKey ?? '');
			if (!shown || !connection) {
				return undefined;
			}
			const ref = patchsetOf(connection, shown.place);
			const { line } = editor.selection.active;
			const key = last?.uri === editor.document.uri.toString() && last.line === line ? last.key : undefined;
			return (
				ref && {
					connectionKey: connection.key,
					ref,
					from: (review) => placeOfKey(review, key) ?? placeOfLine(line, shown),
				}
			);
		},
		/** Opens the thread's diff at its line, unfolded. False without a diff or a text, as for a picture. */
		async open(
			{ connectionKey, ref }: OfPatchset,
			{ thread, review }: { readonly thread: ReviewThread; readonly review: RepliesReview },
			signal: AbortSignal,
		) {
			const file = fileOfPlace(thread.place, review);
			if (!file) {
				return false;
			}
			const subject: PatchFileSubject = {
				kind: 'patchFile',
				connectionKey,
				list: ref.list,
				patchsetId: ref.id,
				...file,
				...(thread.place.kind === 'line' ? { at: thread.place.end } : {}),
			};
			await vscode.commands.executeCommand('forge.patchsets.openDiff', subject);
			const isShown = await goTo(thread, file.fileIndex, signal);
			unseen = isShown ? undefined : { connectionKey, ref, key: thread.key };
			return isShown;
		},
	};
}

/** Text editors of the active tab, the active one first: another group may show the same document. */
function editorsOf(input: unknown): readonly vscode.TextEditor[] {
	const shown = new Set(tabAddresses(input).map(addressKey));
	const { activeTextEditor, visibleTextEditors } = vscode.window;
	return visibleTextEditors
		.filter(({ document }) => shown.has(addressKey(document.uri)))
		.toSorted((one, other) => Number(other === activeTextEditor) - Number(one === activeTextEditor));
}

function placeOfKey({ threads }: RepliesReview, key: string | undefined): ReadingPlace | undefined {
	const known = threads.find((thread) => thread.key === key);
	return known && { place: known.place, isAbove: false };
}

/** The file whose diff contains a comment; `undefined` without one. */
export function fileOfPlace(
	place: CommentPlace,
	{ series: { patches } }: RepliesReview,
): { readonly mailId: number; readonly fileIndex: number } | undefined {
	if (place.kind === 'elsewhere' || place.kind === 'cover') {
		return undefined;
	}
	const fileIndex = place.kind === 'line' || place.kind === 'file' ? place.file : 0;
	const patch = patches.find(({ mail }) => mail.id === place.mailId);
	return patch?.patch.diff.files[fileIndex] ? { mailId: patch.mail.id, fileIndex } : undefined;
}
