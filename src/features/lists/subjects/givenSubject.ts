import * as vscode from 'vscode';
import { placeOfDocument } from '../../../patchDocuments/patchUri.ts';
import { listsSubject, subjectOfPatchPlace, type ListsSubject } from './subjects.ts';

/** What a command was handed: the document of a patch that is in front stands for the patch. */
export function givenSubject(subject: unknown): ListsSubject | undefined {
	const place = placeOfDocument(subject);
	return place ? subjectOfPatchPlace(place) : listsSubject(subject);
}

/** The document of a patch that the cursor is in. */
export function documentInFront(): vscode.Uri | undefined {
	const uri = vscode.window.activeTextEditor?.document.uri;
	return placeOfDocument(uri) ? uri : undefined;
}

/** What a command is about that is run from the palette as well: the patch whose document is in front, where nothing was handed. */
export function subjectOrInFront(subject: unknown): unknown {
	return givenSubject(subject ?? documentInFront()) ?? subject;
}
