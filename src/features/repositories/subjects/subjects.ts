import * as v from 'valibot';
import { bareSubject, isRecord, refining, subjectReader } from '../../../editor/commands/subjects.ts';
import { maybe, named, whole } from '../../../store/shared/keptText.ts';
import { placeOfPath, placeOfSide } from './place.ts';

const within = { connectionKey: v.string(), ref: named } as const;

const repository = v.object({ kind: v.literal('repository'), ...within });
export type RepositorySubject = Readonly<v.InferOutput<typeof repository>>;

/** Subject of commands on a branch, tag or other revision. `revision`: in the form that the server accepts. */
const reference = v.object({ kind: v.literal('reference'), ...within, revision: v.string() });
export type ReferenceSubject = Readonly<v.InferOutput<typeof reference>>;

const line = v.pipe(whole, v.minValue(1));

/** Subject of commands on a tree entry. A symbolic link counts as a file with its target as text. */
const entry = v.object({
	kind: v.picklist(['folder', 'file', 'submodule']),
	...within,
	at: v.object({ ref: v.string(), path: v.string() }),
	/** Selected lines of the file. */
	lines: refining(
		v.pipe(
			v.object({ first: line, last: line }),
			v.check(({ first, last }) => first <= last),
		),
	),
});
export type EntrySubject = Readonly<v.InferOutput<typeof entry>>;

const commit = v.object({ kind: v.literal('commit'), ...within, id: v.string() });
export type CommitSubject = Readonly<v.InferOutput<typeof commit>>;

const thing = v.variant('kind', [repository, reference, entry, commit]);
export type RepositoriesSubject = Readonly<v.InferOutput<typeof thing>>;
const thingSubject = subjectReader(thing);

/** Subject of commands on a file of a tag. Names repeat; the first one counts. */
const artifact = v.object({
	kind: v.literal('artifact'),
	...within,
	/** Full name of the reference. */
	tag: v.string(),
	/** As the server sent it. */
	filename: v.string(),
});
export type ArtifactSubject = Readonly<v.InferOutput<typeof artifact>>;
export const artifactSubject = subjectReader(artifact);

/** Subject of commands on a changed file. */
const change = v.object({
	kind: v.literal('change'),
	...within,
	before: maybe(v.string()),
	after: v.string(),
	/** The new path, or the old one of a deleted file. */
	path: v.string(),
	/** The later commit has it no more. Only what leads to the file needs to know. */
	isGone: refining(v.boolean()),
});
export type ChangeSubject = Readonly<v.InferOutput<typeof change>>;
export const changeSubject = subjectReader(change);

/** Subject of commands on two commits, both by full id. */
export const comparisonSubject = subjectReader(
	v.object({ kind: v.literal('comparison'), ...within, before: v.string(), after: v.string() }),
);

/** Accepts tree rows, bare subjects and document addresses from any caller; returns `undefined` for anything else. */
export function repositoriesSubject(value: unknown): RepositoriesSubject | undefined {
	const bare = bareSubject(value);
	return isRecord(bare) && bare['scheme'] === 'forge' ? subjectOfAddress(bare) : thingSubject(bare);
}

/** An address lacks the entry's kind; open documents are files. */
function subjectOfAddress(address: Readonly<Record<string, unknown>>): RepositoriesSubject | undefined {
	const { authority, path, query = '' } = address;
	if (typeof authority !== 'string' || typeof path !== 'string' || typeof query !== 'string') {
		return undefined;
	}
	const place = query === '' ? placeOfPath(authority, path) : placeOfSide(authority, path, query);
	if (!place) {
		return undefined;
	}
	const { connectionKey, ref } = place;
	if (place.kind === 'commit') {
		return { kind: 'commit', connectionKey, ref, id: place.id };
	}
	return place.at.path === ''
		? { kind: 'reference', connectionKey, ref, revision: place.at.ref }
		: { kind: 'file', connectionKey, ref, at: place.at };
}
