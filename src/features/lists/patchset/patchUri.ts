import * as vscode from 'vscode';
import { isRecord } from '../../../editor/subjects.ts';
import { listRefText, type ListRef } from '../../../forge/list.ts';
import { listRefOf } from '../../../state/listShelf.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { MailSubject, PatchFileSubject } from '../subjects.ts';

/** Documents made of patches. */
const patchScheme = 'forge-patch';

/** What of a patch a document shows. */
export type PatchView =
	/** One side of a file, made of its hunks, or said in words. */
	| { readonly kind: 'before' | 'after'; readonly fileIndex: number }
	/** One side of a picture that the patch holds whole. */
	| { readonly kind: 'pictureBefore' | 'pictureAfter'; readonly fileIndex: number }
	/** The diff of a file as it came, because it has no sides. */
	| { readonly kind: 'asItCame'; readonly fileIndex: number }
	/** The whole text that the patch stands in. */
	| { readonly kind: 'raw' };

/** What a document of ours shows, and of which mail. */
export interface PatchPlace {
	readonly connectionKey: string;
	readonly list: ListRef;
	/** `undefined` where whoever opened it did not know. */
	readonly patchsetId: number | undefined;
	readonly mailId: number;
	readonly view: PatchView;
}

const views = ['before', 'after', 'pictureBefore', 'pictureAfter', 'asItCame', 'raw'] as const;

const longestStep = 100;
const mostSteps = 40;

/**
 * `forge-patch://<account>/<path of the file>?list=…&set=…&mail=…&file=…&show=…`. The path is there for the eyes, for the
 * tab's title and for the language: what is shown is said by the query alone.
 */
export function patchUri({ connectionKey, list, patchsetId, mailId, view }: PatchPlace, path: string): vscode.Uri {
	const query = new URLSearchParams({ list: listRefText(list) });
	if (patchsetId !== undefined) {
		query.set('set', String(patchsetId));
	}
	query.set('mail', String(mailId));
	if (view.kind !== 'raw') {
		query.set('file', String(view.fileIndex));
	}
	query.set('show', view.kind);
	return vscode.Uri.from({
		scheme: patchScheme,
		authority: connectionKey,
		path: shownPath(path),
		query: query.toString(),
	});
}

/** The way back; `undefined` for addresses of others and for none at all. */
export function placeOfPatchUri({
	scheme,
	authority,
	query,
}: Pick<vscode.Uri, 'scheme' | 'authority' | 'query'>): PatchPlace | undefined {
	const asked = new URLSearchParams(query);
	const list = listRefOf(asked.get('list') ?? '');
	const mailId = positive(asked.get('mail'));
	const view = viewOf(asked);
	return scheme === patchScheme && list && mailId !== undefined && view
		? { connectionKey: authority, list, patchsetId: positive(asked.get('set')), mailId, view }
		: undefined;
}

/** The same of whatever a command was handed. */
export function placeOfDocument(value: unknown): PatchPlace | undefined {
	const { scheme, authority, query } = isRecord(value) ? value : {};
	return typeof scheme === 'string' && typeof authority === 'string' && typeof query === 'string'
		? placeOfPatchUri({ scheme, authority, query })
		: undefined;
}

/** What a command on the document is about. */
export function subjectOfPatchPlace({
	connectionKey,
	list,
	patchsetId,
	mailId,
	view,
}: PatchPlace): MailSubject | PatchFileSubject {
	return patchsetId === undefined || view.kind === 'raw'
		? { kind: 'mail', connectionKey, list, id: mailId, messageId: undefined }
		: { kind: 'patchFile', connectionKey, list, patchsetId, mailId, fileIndex: view.fileIndex };
}

/**
 * A path out of a patch as one that leads nowhere else: no step goes up or is empty, hidden characters are written out,
 * and what would divide a step is replaced by its likeness. Begins with a slash.
 */
export function shownPath(path: string): string {
	const steps = path
		.split('/')
		.filter((step) => step !== '')
		.slice(-mostSteps)
		.map(shownStep);
	return `/${steps.length === 0 ? '⟨⟩' : steps.join('/')}`;
}

function shownStep(step: string): string {
	if (step === '.' || step === '..') {
		return `⟨${step}⟩`;
	}
	const shown = Array.from(visibleLine(step.toWellFormed()).replaceAll('\\', '\u2216'));
	// The end says which language it is.
	const short = shown.length > longestStep ? ['…', ...shown.slice(-longestStep)] : shown;
	return short.length === 0 ? '⟨⟩' : short.join('');
}

function viewOf(query: URLSearchParams): PatchView | undefined {
	const kind = views.find((each) => each === query.get('show'));
	if (kind === undefined || kind === 'raw') {
		return kind && { kind };
	}
	const fileIndex = wholeNumber(query.get('file'));
	return fileIndex === undefined ? undefined : { kind, fileIndex };
}

function wholeNumber(text: string | null): number | undefined {
	return text !== null && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

function positive(text: string | null): number | undefined {
	const number = wholeNumber(text);
	return number === 0 ? undefined : number;
}
