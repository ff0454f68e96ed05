import * as vscode from 'vscode';
import { placeOfDocument } from '../../../patchDocuments/patchUri.ts';
import { reviewOfUri, subjectOfReview } from './reviewUri.ts';
import { listsSubject, subjectOfPatchPlace, type ListsSubject } from './subjects.ts';

/** What a command was handed: a document that is about patches stands for what it is about. */
export function givenSubject(subject: unknown): ListsSubject | undefined {
	return subjectOfDocument(subject) ?? listsSubject(subject);
}

/** The document of a patch stands for the patch or its file, the preview of a review for its patchset. */
function subjectOfDocument(uri: unknown): ListsSubject | undefined {
	const place = placeOfDocument(uri);
	const review = reviewOfUri(uri);
	return place ? subjectOfPatchPlace(place) : review && subjectOfReview(review);
}

/** The document of a patch or of a review that the cursor is in. */
export function documentInFront(): vscode.Uri | undefined {
	const uri = vscode.window.activeTextEditor?.document.uri;
	return subjectOfDocument(uri) ? uri : undefined;
}

/** What a command is about that is run from the palette as well: that of the document in front, where nothing was handed. */
export function subjectOrInFront(subject: unknown): unknown {
	return givenSubject(subject ?? documentInFront()) ?? subject;
}
