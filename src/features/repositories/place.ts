import type { RepositoryRef, TreePath } from '../../forge/repository.ts';
import { stepsOf } from '../../state/repositoryEntries.ts';
import { walkLimits } from '../../state/repositoryWalk.ts';

/** What a `forge:` address leads to. */
export type Place =
	| { readonly kind: 'entry'; readonly connectionKey: string; readonly ref: RepositoryRef; readonly at: TreePath }
	| { readonly kind: 'commit'; readonly connectionKey: string; readonly ref: RepositoryRef; readonly id: string };

/** Stands where a revision stands otherwise. No revision begins with a dot, and one that does is written otherwise. */
const commitsSegment = '.commits';

/**
 * Path of a place below its account: `/~alice/quill/feature%2Fx/src/main.c`. Owner, repository and revision are one
 * segment each, whatever they hold; the steps below stand as they are.
 */
export function pathOfPlace(place: Place): string {
	const { owner, name } = place.ref;
	const repository = `/${segment(owner)}/${segment(name)}`;
	switch (place.kind) {
		case 'entry':
			return `${repository}/${segment(place.at.ref)}${place.at.path === '' ? '' : `/${place.at.path}`}`;
		case 'commit':
			// The last step is what the editor shows as the document's name.
			return `${repository}/${commitsSegment}/${segment(place.id)}/Commit ${segment(place.id.slice(0, 7))}`;
	}
}

/** The way back; `undefined` for what `pathOfPlace` never writes. */
export function placeOfPath(connectionKey: string, path: string): Place | undefined {
	const [first, owner, name, third, ...rest] = path.replace(/\/$/, '').split('/');
	const ref = { owner: unsegment(owner), name: unsegment(name) };
	// One slash at the end is forgiven; an empty step before it is another way of writing the same place.
	if (first !== '' || ref.owner === undefined || ref.name === undefined || rest.includes('')) {
		return undefined;
	}
	const repository = { owner: ref.owner, name: ref.name };
	if (third === commitsSegment) {
		const id = unsegment(rest[0]);
		return id === undefined || rest.length !== 2 ? undefined : { kind: 'commit', connectionKey, ref: repository, id };
	}
	const revision = unsegment(third);
	const below = rest.join('/');
	return revision === undefined || stepsOf(below, walkLimits.depth) === undefined
		? undefined
		: { kind: 'entry', connectionKey, ref: repository, at: { ref: revision, path: below } };
}

/** What would end the segment, change the way, or is no whole character. */
const unfit = /^\.|[%/\\\p{Cc}\p{Cs}]/gu;

function segment(text: string): string {
	return text.replaceAll(unfit, (character) => {
		const code = character.charCodeAt(0).toString(16).toUpperCase();
		return code.length > 2 ? `%u${code.padStart(4, '0')}` : `%${code.padStart(2, '0')}`;
	});
}

/** `undefined` for what `segment` never writes, so that each place has one address only. */
function unsegment(text: string | undefined): string | undefined {
	if (text === undefined || text === '') {
		return undefined;
	}
	const plain = text.replaceAll(/%u([0-9A-F]{4})|%([0-9A-F]{2})/g, (_, long: string | undefined, short: string) =>
		String.fromCharCode(Number.parseInt(long ?? short, 16)),
	);
	return segment(plain) === text ? plain : undefined;
}
