import * as vscode from 'vscode';
import { isRecord } from '../commands/subjects.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { listRefOf } from '../../store/lists/lists.ts';
import { repositoryRefOf } from '../../store/repositories/repositoryRef.ts';
import { fieldsOf, jsonIn } from '../../base/lenientJson.ts';
import { visibleLine } from '../../engine/text/visible.ts';

export const patchScheme = 'forge-patch';

/** The part of a patch in a document. */
export type PatchView =
	/** One of two sides of a file, from hunks or as a description. */
	| { readonly kind: 'before' | 'after'; readonly fileIndex: number }
	/**
	 * One of two sides of a whole file. `content` fixes the content, so the document never shows another one;
	 * `repository` is only the searched place.
	 */
	| WholeView
	/** The only side of an added or deleted file. */
	| { readonly kind: 'only'; readonly fileIndex: number }
	/** One side of a picture contained in the patch. */
	| { readonly kind: 'pictureBefore' | 'pictureAfter'; readonly fileIndex: number }
	/** The raw diff of a file without sides. */
	| { readonly kind: 'asItCame'; readonly fileIndex: number }
	/** The raw text of the mail. */
	| { readonly kind: 'raw' };

export interface WholeView {
	readonly kind: 'wholeBefore' | 'wholeAfter';
	readonly fileIndex: number;
	/** Full SHA-1 blob id of the content. */
	readonly content: string;
	readonly repository: RepositoryRef | undefined;
}

export function isWholeView(view: PatchView): view is WholeView {
	return view.kind === 'wholeBefore' || view.kind === 'wholeAfter';
}

/** A document's view and mail. */
export interface PatchPlace {
	readonly connectionKey: string;
	readonly list: ListRef;
	/** `undefined` if the opener did not know it. */
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
 * `forge-patch://<account>/<path of the file>?{"list":…,"set":…,"mail":…,"file":…,"show":…}`. The path only serves
 * display, tab title and language; the query identifies the content. It is JSON because `resourceLabelFormatters` read
 * `in`, the patch number, only from a JSON query.
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

/** Inverse of `patchUri`; `undefined` for other addresses. */
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

/** Same for an untyped command argument. */
export function placeOfDocument(value: unknown): PatchPlace | undefined {
	const { scheme, authority, query } = isRecord(value) ? value : {};
	return typeof scheme === 'string' && typeof authority === 'string' && typeof query === 'string'
		? placeOfPatchUri({ scheme, authority, query })
		: undefined;
}

/**
 * A harmless path for display: starts with a slash, without empty, `.` or `..` segments, with visible characters only,
 * and with a lookalike for backslashes.
 */
export function shownPath(path: string): string {
	const steps = path
		.split('/')
		.filter((step) => step !== '')
		.slice(-mostSteps)
		.map((step) => {
			if (step === '.' || step === '..') {
				return `⟨${step}⟩`;
			}
			const shown = Array.from(visibleLine(step.toWellFormed()).replaceAll('\\', '\u2216'));
			// Keeps the extension, because it selects the language.
			const short = shown.length > longestStep ? ['…', ...shown.slice(-longestStep)] : shown;
			return short.length === 0 ? '⟨⟩' : short.join('');
		});
	return `/${steps.length === 0 ? '⟨⟩' : steps.join('/')}`;
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
	if (kind !== 'wholeBefore' && kind !== 'wholeAfter') {
		return { kind, fileIndex };
	}
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
