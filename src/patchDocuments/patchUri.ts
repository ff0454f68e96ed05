import * as vscode from 'vscode';
import { isRecord } from '../editor/commands/subjects.ts';
import type { ListRef } from '../forge/list.ts';
import { refText } from '../forge/namedRef.ts';
import type { RepositoryRef } from '../forge/repository.ts';
import { listRefOf } from '../state/lists/listShelf.ts';
import { repositoryRefOf } from '../state/repositories/repositoryShelf.ts';
import { fieldsOf, jsonIn } from '../base/looseJson.ts';
import { visibleLine } from '../text/visible.ts';

/** Documents made of patches. */
export const patchScheme = 'forge-patch';

/** What of a patch a document shows. */
export type PatchView =
	/** One of two sides of a file, made of its hunks, or said in words. */
	| { readonly kind: 'before' | 'after'; readonly fileIndex: number }
	/**
	 * One of two sides of a file, all of it. `content` is the id of what stands there, so that the document never shows
	 * another: `repository` is only where it was looked for.
	 */
	| WholeView
	/** The one side of a file that the patch adds or deletes. */
	| { readonly kind: 'only'; readonly fileIndex: number }
	/** One side of a picture that the patch holds whole. */
	| { readonly kind: 'pictureBefore' | 'pictureAfter'; readonly fileIndex: number }
	/** The diff of a file as it came, because it has no sides. */
	| { readonly kind: 'asItCame'; readonly fileIndex: number }
	/** The whole text that the patch stands in. */
	| { readonly kind: 'raw' };

/** One side of a whole file. */
export interface WholeView {
	readonly kind: 'wholeBefore' | 'wholeAfter';
	readonly fileIndex: number;
	/** Full id of the content, as git makes it of SHA-1. */
	readonly content: string;
	readonly repository: RepositoryRef | undefined;
}

export function isWholeView(view: PatchView): view is WholeView {
	return view.kind === 'wholeBefore' || view.kind === 'wholeAfter';
}

/** What a document of ours shows, and of which mail. */
export interface PatchPlace {
	readonly connectionKey: string;
	readonly list: ListRef;
	/** `undefined` where whoever opened it did not know. */
	readonly patchsetId: number | undefined;
	readonly mailId: number;
	readonly view: PatchView;
}

const views = [
	'before',
	'after',
	'wholeBefore',
	'wholeAfter',
	'only',
	'pictureBefore',
	'pictureAfter',
	'asItCame',
	'raw',
] as const;

const longestStep = 100;
const mostSteps = 40;

/**
 * `forge-patch://<account>/<path of the file>?{"list":…,"set":…,"mail":…,"file":…,"show":…}`. The path is there for the
 * eyes, for the tab's title and for the language: what is shown is said by the query alone. It is JSON because the editor
 * can take `in`, which patch of a series it is, from nothing else (`resourceLabelFormatters`).
 */
export function patchUri(
	{ connectionKey, list, patchsetId, mailId, view }: PatchPlace,
	path: string,
	patchNumber = '',
): vscode.Uri {
	return vscode.Uri.from({
		scheme: patchScheme,
		authority: connectionKey,
		path: shownPath(path),
		query: JSON.stringify({
			list: refText(list),
			set: patchsetId,
			mail: mailId,
			file: view.kind === 'raw' ? undefined : view.fileIndex,
			show: view.kind,
			...(isWholeView(view) ? { content: view.content, repo: view.repository && refText(view.repository) } : {}),
			...(patchNumber === '' ? {} : { in: ` (${patchNumber.replaceAll('/', '\u2215')})` }),
		}),
	});
}

/** The way back; `undefined` for addresses of others and for none at all. */
export function placeOfPatchUri({
	scheme,
	authority,
	query,
}: Pick<vscode.Uri, 'scheme' | 'authority' | 'query'>): PatchPlace | undefined {
	const asked = fieldsOf(scheme === patchScheme ? jsonIn(query) : undefined);
	const name = asked['list'];
	const list = typeof name === 'string' ? listRefOf(name) : undefined;
	const mailId = positive(asked['mail']);
	const view = viewOf(asked);
	return list && mailId !== undefined && view
		? { connectionKey: authority, list, patchsetId: positive(asked['set']), mailId, view }
		: undefined;
}

/** The same of whatever a command was handed. */
export function placeOfDocument(value: unknown): PatchPlace | undefined {
	const { scheme, authority, query } = isRecord(value) ? value : {};
	return typeof scheme === 'string' && typeof authority === 'string' && typeof query === 'string'
		? placeOfPatchUri({ scheme, authority, query })
		: undefined;
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

function viewOf(asked: Readonly<Record<string, unknown>>): PatchView | undefined {
	const kind = views.find((each) => each === asked['show']);
	if (kind === undefined || kind === 'raw') {
		return kind && { kind };
	}
	const fileIndex = wholeNumber(asked['file']);
	if (fileIndex === undefined) {
		return undefined;
	}
	return kind === 'wholeBefore' || kind === 'wholeAfter' ? wholeView(kind, fileIndex, asked) : { kind, fileIndex };
}

function wholeView(
	kind: WholeView['kind'],
	fileIndex: number,
	asked: Readonly<Record<string, unknown>>,
): WholeView | undefined {
	const [content, repo] = [asked['content'], asked['repo']];
	return typeof content === 'string' && /^[0-9a-f]{40}$/.test(content)
		? { kind, fileIndex, content, repository: typeof repo === 'string' ? repositoryRefOf(repo) : undefined }
		: undefined;
}

function wholeNumber(value: unknown): number | undefined {
	return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

function positive(value: unknown): number | undefined {
	const number = wholeNumber(value);
	return number === 0 ? undefined : number;
}
