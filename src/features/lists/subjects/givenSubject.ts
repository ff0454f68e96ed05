import * as vscode from 'vscode';
import { addressInFront } from '../../../editor/commands/addressInFront.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import { placeOfDocument } from '../../../editor/patchDocuments/patchUri.ts';
import { placeOfVersionUri } from './versionUri.ts';
import { reviewOfUri, subjectOfReview } from './reviewUri.ts';
import { listsSubject, subjectOfPatchPlace, type ListsSubject } from './subjects.ts';

/** The subject of a row, a page or the address of a document; `undefined` for anything else. */
export function givenSubject(subject: unknown): ListsSubject | undefined {
	// A document of a patch is its patch or file, a preview of a review its patchset, a comparison its later version.
	const place = placeOfDocument(subject);
	if (place) {
		return subjectOfPatchPlace(place);
	}
	const pair = placeOfVersionUri(subject)?.pair;
	if (pair) {
		return { kind: 'patchset', connectionKey: pair.connectionKey, ref: { list: pair.list, id: pair.later } };
	}
	const review = reviewOfUri(subject);
	return review ? subjectOfReview(review) : listsSubject(subject);
}

/** The document about mails or patches in front. */
export function documentInFront(): vscode.Uri | undefined {
	const uri = addressInFront();
	return givenSubject(uri) ? uri : undefined;
}

/**
 * The command's subject: the given row or document, otherwise the active document, otherwise the marked part of the
 * active page. `null` asks for another one.
 */
export function subjectOrInFront(pages: PageHost, subject: unknown): ListsSubject | undefined {
	return givenSubject(subject === undefined ? (documentInFront() ?? pages.inFront()) : subject);
}
