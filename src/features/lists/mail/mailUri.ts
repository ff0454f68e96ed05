import * as vscode from 'vscode';
import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import type { Email, ListRef } from 'sourcehut/port/list.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { mailScheme, type MailSubject } from '../subjects/subjects.ts';

const longestTitle = 100;

/** Options in the query of a mail's URI. */
export interface MailView {
	/** Use diff colours. */
	readonly isPatch: boolean;
	/** Load the mail regardless of size. */
	readonly isWhole: boolean;
	/** Index of an attachment; `undefined` for the mail itself. */
	readonly attachment: number | undefined;
}

/**
 * URI of a mail: `forge-mail://<account>/<owner>/<list>/<number>/<subject>`. The subject only serves as tab title.
 * Equal for the same mail.
 */
export function mailUri(subject: MailSubject, mail: Email, isWhole: boolean): vscode.Uri {
	return uriOf(subject, titleOf(mail.subject), [...(mail.isPatch ? ['patch'] : []), ...(isWhole ? ['whole'] : [])]);
}

export function attachmentUri(
	subject: MailSubject,
	{ index, name, isPatch }: { readonly index: number; readonly name: string; readonly isPatch: boolean },
): vscode.Uri {
	return uriOf(subject, titleOf(name), [...(isPatch ? ['patch'] : []), `attachment=${index}`]);
}

/** A mail of a downloaded archive. */
export interface ArchivedPlace {
	readonly connectionKey: string;
	readonly list: ListRef;
	/** Its place in the archive, from 0. */
	readonly place: number;
}

/** The address under which a mail of an archive opens. It has no number, so no command takes it for a mail on the forge. */
export function archivedUri(
	{ connectionKey, list, place }: ArchivedPlace,
	{ subject, isPatch }: { readonly subject: string; readonly isPatch: boolean },
): vscode.Uri {
	const words = isPatch ? ['patch'] : [];
	return uriOf({ connectionKey, list, id: `archive-${place}` }, titleOf(subject), words);
}

/** The mail of an archive that is at this address; `undefined` for all others. */
export function placeOfUri({ authority, path }: vscode.Uri): ArchivedPlace | undefined {
	const [, owner = '', name = '', id = ''] = path.split('/');
	const [, place] = /^archive-(\d{1,9})$/.exec(id) ?? [];
	const list = { owner: decodedPart(owner) ?? '', name: decodedPart(name) ?? '' };
	return place === undefined ? undefined : { connectionKey: authority, list, place: Number(place) };
}

function uriOf(
	{ connectionKey, list, id }: { readonly connectionKey: string; readonly list: ListRef; readonly id: number | string },
	title: string,
	words: readonly string[],
): vscode.Uri {
	return vscode.Uri.from({
		scheme: mailScheme,
		authority: connectionKey,
		path: `/${segment(list.owner)}/${segment(list.name)}/${id}/${title}`,
		query: words.join('&'),
	});
}

/** Read back in subjects.ts. */
function segment(name: string): string {
	return encodeURIComponent(name.toWellFormed());
}

/** Display options of a mail's URI. */
export function viewOfUri({ query }: vscode.Uri): MailView {
	const words = query.split('&');
	const [, attachment] = words.map((word) => /^attachment=(\d{1,6})$/.exec(word)).find((found) => found) ?? [];
	return {
		isPatch: words.includes('patch'),
		isWhole: words.includes('whole'),
		attachment: attachment === undefined ? undefined : Number(attachment),
	};
}

/**
 * Tab title. Replaces slashes, which would cut it. The trailing blank prevents language detection for a subject such as
 * "Fix main.py".
 */
function titleOf(text: string): string {
	const line = Array.from(visibleLine(text).replaceAll('/', '\u2215')).slice(0, longestTitle).join('');
	return `${line === '' ? vscode.l10n.t('Message without subject') : line} `;
}
