import type { RepositoryRef, TreePath } from '../../../forge/repository.ts';
import { stepsOf } from '../../../state/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../state/repositories/repositoryWalk.ts';

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

/** What a `forge:` address leads to. */
export type Place = EntryPlace | CommitPlace;

/** Stands behind the name of a repository that no revision follows. */
const commitsSegment = '.commits';

/**
 * Path of a place below its account: `/~alice/quill@feature∕x/src/main.c`. Owner is one segment, repository and revision
 * another one, whatever they hold; the editor names a folder that is opened alone by it. The steps below stand as they are.
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

/** The way back; `undefined` for what `pathOfPlace` never writes. */
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
		const id = commitOf(rest);
		return id === undefined ? undefined : { kind: 'commit', connectionKey, ref, id };
	}
	const revision = unsegment(second.slice(end + 1), segment);
	const below = rest.join('/');
	return revision === undefined || stepsOf(below, walkLimits.depth) === undefined
		? undefined
		: { kind: 'entry', connectionKey, ref, at: { ref: revision, path: below } };
}

function commitOf([first, id, ...rest]: readonly string[]): string | undefined {
	return first === commitsSegment && rest.length === 1 ? unsegment(id, segment) : undefined;
}

/**
 * Path of a file as one side of a comparison, whose revision stands elsewhere: what holds the same file at two revisions
 * has one path, or the editor would call it renamed.
 */
export function pathOfSide({ ref: { owner, name }, at: { path } }: EntryPlace): string {
	return `/${segment(owner)}/${nameSegment(name)}/${path}`;
}

/** The way back; `undefined` for what `pathOfSide` never writes. */
export function placeOfSide(connectionKey: string, path: string, revision: string): Place | undefined {
	const [first, owner, name = '', ...below] = path.split('/');
	return first === '' && !name.includes('@') && below.length > 0
		? placeOfPath(connectionKey, [first, owner, `${name}@${segment(revision)}`, ...below].join('/'))
		: undefined;
}

/**
 * What would end the segment, change the way, is no whole character, or means something here. No percent sign is written:
 * an editor in a browser keeps the folder that is open in its own address and decodes it there once too often.
 */
const unfit = /^\.|[%^∕/\\\p{Cc}\p{Cs}]/gu;

function segment(text: string): string {
	return text.replaceAll(unfit, (character) => (character === '/' ? slash : escaped(character)));
}

/** Stands for a slash and reads like one: the editor shows this segment as the name of the folder. */
const slash = '∕';

/** With a sign that git allows in no name of a branch or tag. */
function escaped(character: string): string {
	const code = character.charCodeAt(0).toString(16).toUpperCase();
	return code.length > 2 ? `^u${code.padStart(4, '0')}` : `^${code.padStart(2, '0')}`;
}

/** What follows the first `@` is the revision. */
function nameSegment(name: string): string {
	return segment(name).replaceAll('@', escaped);
}

/** `undefined` for what `written` never writes, so that each place has one address only. */
function unsegment(text: string | undefined, written: (plain: string) => string): string | undefined {
	if (text === undefined || text === '') {
		return undefined;
	}
	const plain = text.replaceAll(/∕|\^u([0-9A-F]{4})|\^([0-9A-F]{2})/g, (found, long?: string, short?: string) =>
		found === slash ? '/' : String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
	);
	return written(plain) === text ? plain : undefined;
}
