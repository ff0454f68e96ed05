import type { RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import { stepsOf } from '../../../store/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import * as vscode from 'vscode';

/** A file or folder, or the root of a revision. */
export interface EntryPlace {
	readonly kind: 'entry';
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	readonly at: TreePath;
}

/** A commit as a document. */
export interface CommitPlace {
	readonly kind: 'commit';
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	readonly id: string;
}

export type Place = EntryPlace | CommitPlace;

/** Follows a repository name without revision. */
const commitsSegment = '.commits';

/**
 * Path of a place below its account: `/~alice/quill@feature∕x/src/main.c`. The owner is one segment, repository and
 * revision form the next; the editor uses the latter as folder name. Deeper segments stay unencoded.
 */
export function pathOfPlace(place: Place): string {
	const { owner, name } = place.ref;
	const repository = `/${segment(owner)}/${nameSegment(name)}`;
	switch (place.kind) {
		case 'entry':
			return `${repository}@${segment(place.at.ref)}${place.at.path === '' ? '' : `/${place.at.path}`}`;
		case 'commit':
			// The last step is what the editor shows as the document's name.
			return `${repository}/${commitsSegment}/${segment(place.id)}/Commit ${segment(place.id.slice(0, 7))}`;
	}
}

/** Inverse of `pathOfPlace`; `undefined` for any other path. */
export function placeOfPath(connectionKey: string, path: string): Place | undefined {
	const [first, ownerText, second = '', ...rest] = path.replace(/\/$/, '').split('/');
	const end = second.indexOf('@');
	const owner = unsegment(ownerText, segment);
	const name = unsegment(end < 0 ? second : second.slice(0, end), nameSegment);
	// One slash at the end is forgiven; an empty step before it is another way of writing the same place.
	if (first !== '' || owner === undefined || name === undefined || rest.includes('')) {
		return undefined;
	}
	const ref = { owner, name };
	if (end < 0) {
		const [kind, written, ...others] = rest;
		const id = kind === commitsSegment && others.length === 1 ? unsegment(written, segment) : undefined;
		return id === undefined ? undefined : { kind: 'commit', connectionKey, ref, id };
	}
	const revision = unsegment(second.slice(end + 1), segment);
	const below = rest.join('/');
	return revision === undefined || stepsOf(below, walkLimits.depth) === undefined
		? undefined
		: { kind: 'entry', connectionKey, ref, at: { ref: revision, path: below } };
}

/** Path of a file in a diff, without its revision: both versions need the same path, or the editor shows a rename. */
export function pathOfSide({ ref: { owner, name }, at: { path } }: EntryPlace): string {
	return `/${segment(owner)}/${nameSegment(name)}/${path}`;
}

/** Inverse of `pathOfSide`; `undefined` for any other path. */
export function placeOfSide(connectionKey: string, path: string, revision: string): Place | undefined {
	const [first, owner, name = '', ...below] = path.split('/');
	return first === '' && !name.includes('@') && below.length > 0
		? placeOfPath(connectionKey, [first, owner, `${name}@${segment(revision)}`, ...below].join('/'))
		: undefined;
}

/**
 * Characters that end or change the segment, lone surrogates, and our own escape signs. Avoids percent signs: a
 * browser-based editor puts the open folder into its own URL and decodes it once too often.
 */
const unfit = /^\.|[%^∕/\\\p{Cc}\p{Cs}]/gu;

function segment(text: string): string {
	return text.replaceAll(unfit, (character) => (character === '/' ? slash : escaped(character)));
}

/** Replaces and resembles a slash: the editor shows this segment as folder name. */
const slash = '∕';

/** With a sign that git allows in no name of a branch or tag. */
function escaped(character: string): string {
	const code = character.charCodeAt(0).toString(16).toUpperCase();
	return code.length > 2 ? `^u${code.padStart(4, '0')}` : `^${code.padStart(2, '0')}`;
}

/** The revision follows the first `@`. */
function nameSegment(name: string): string {
	return segment(name).replaceAll('@', escaped);
}

/** `undefined` for text that `written` never produces, so that each place has a single address. */
function unsegment(text: string | undefined, written: (plain: string) => string): string | undefined {
	if (text === undefined || text === '') {
		return undefined;
	}
	const plain = text.replaceAll(/∕|\^u([0-9A-F]{4})|\^([0-9A-F]{2})/g, (found, long?: string, short?: string) =>
		found === slash ? '/' : String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
	);
	return written(plain) === text ? plain : undefined;
}

/** `forge://<account>/<~owner>/<repository>@<revision>/<path>` */
export function uriOfPlace(place: Place): vscode.Uri {
	return vscode.Uri.from({ scheme: 'forge', authority: place.connectionKey, path: pathOfPlace(place) });
}

/** `forge://<account>/<~owner>/<repository>/<path>?<revision>`: a file as one side of a comparison. */
export function uriOfSide(place: EntryPlace): vscode.Uri {
	const { connectionKey, at } = place;
	return vscode.Uri.from({ scheme: 'forge', authority: connectionKey, path: pathOfSide(place), query: at.ref });
}

/** The place that an address leads to; `undefined` for addresses of others and for none at all. */
export function placeOfUri({ scheme, authority, path, query }: vscode.Uri): Place | undefined {
	if (scheme !== 'forge') {
		return undefined;
	}
	return query === '' ? placeOfPath(authority, path) : placeOfSide(authority, path, query);
}
