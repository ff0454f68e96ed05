import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { Artifact, Commit, Reference, Repository, Tree, TreeEntry } from '../../port/repository.ts';
import { visibilities } from '../../port/visibility.ts';
import { wordOf } from '../../port/word.ts';
import { typeOfMode } from 'patchmail/git/treeBytes.ts';
import { cursorPage } from '../transport/listed.ts';
import { ofOwner } from '../transport/operations.ts';
import { partly, unsentIn, unsentKey } from '../transport/partial.ts';
import { selected, withArguments } from '../transport/selection.ts';
import { id } from '../transport/variables.ts';

/* Schemas for the repository service's queries and responses (docs/protocol.md#graphql-repositories). */

export const inRepository = [ofOwner, 'repository(name: $name String!): Repository'];

export const repository = v.pipe(
	selected('Repository', {
		id,
		rid: v.optional(v.string()),
		created: timestamp,
		updated: timestamp,
		owner: selected('Entity', { canonicalName: v.string() }),
		name: v.string(),
		description: v.nullish(v.string()),
		visibility: v.string(),
		...partly,
	}),
	v.transform((wire): Repository => ({
		id: wire.id,
		...(wire.rid === undefined ? {} : { rid: wire.rid }),
		createdMs: wire.created,
		updatedMs: wire.updated,
		name: wire.name,
		owner: { canonicalName: wire.owner.canonicalName, name: wire.owner.canonicalName.replace(/^~/, '') },
		subject: undefined,
		description: wire.description ?? undefined,
		visibility: wordOf(visibilities, wire.visibility.toLowerCase()),
		...unsentIn(wire),
	})),
);

const artifact = v.pipe(
	selected('Artifact', {
		created: timestamp,
		filename: v.string(),
		checksum: v.string(),
		size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
		url: v.string(),
	}),
	v.transform(({ created, filename, checksum, size, url }): Artifact => ({
		filename,
		createdMs: created,
		sizeBytes: size,
		checksum,
		url,
	})),
);

const wireReference = selected('Reference', {
	name: v.string(),
	target: v.string(),
	artifacts: v.optional(
		selected('ArtifactCursor', { cursor: v.nullish(v.string()), results: v.array(artifact), ...partly }),
	),
});

/** The cursor of an empty page repeats the page's own cursor, so there is no next page. */
function uploadsOf({ artifacts }: v.InferOutput<typeof wireReference>): Partial<Reference> {
	if (artifacts === undefined) {
		return { areArtifactsUnread: true };
	}
	const { cursor, results, [unsentKey]: unsent } = artifacts;
	if (unsent.length > 0) {
		return { artifacts: results, areArtifactsUnread: true };
	}
	if (results.length === 0) {
		return {};
	}
	return { artifacts: results, ...(typeof cursor === 'string' ? { hasMoreArtifacts: true } : {}) };
}

/** A reference with its release files. The list contains `HEAD`; callers drop it. */
export const reference = v.pipe(
	wireReference,
	v.transform((wire): Reference => ({ ...uploadsOf(wire), name: wire.name, target: wire.target })),
);

const signer = { name: v.string(), email: v.string() };

/** A commit. The API doesn't report signatures. */
export const commit = v.pipe(
	selected('Commit', {
		id: v.string(),
		shortId: v.string(),
		author: selected('Signature', { ...signer, time: timestamp }),
		committer: selected('Signature', signer),
		message: v.string(),
		tree: selected('Tree', { id: v.string() }),
		parents: v.array(selected('Commit', { id: v.string() })),
	}),
	v.transform((wire): Commit => ({
		id: wire.id,
		shortId: wire.shortId,
		author: { name: wire.author.name, email: wire.author.email },
		committer: { name: wire.committer.name, email: wire.committer.email },
		timestampMs: wire.author.time,
		message: wire.message,
		tree: wire.tree.id,
		parents: wire.parents.map((parent) => parent.id),
		signature: 'untold',
	})),
);

/**
 * Excludes `object`: a submodule's commit doesn't exist in the repository, and the error would make the whole answer
 * null.
 */
export const treeEntry = v.pipe(
	selected('TreeEntry', { id: v.string(), name: v.string(), mode: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
	v.transform((wire): TreeEntry => ({ ...wire, type: typeOfMode(wire.mode) })),
);

/** A page of a folder. */
export interface TreeBeginning {
	readonly tree: Tree;
	/** Cursor of the next page. Each page boundary loses entries, so later pages never complete a folder. */
	readonly next: string | undefined;
	/** The server failed to say whether a page follows. */
	readonly isPart?: true | undefined;
}

export const tree = v.pipe(
	selected('Tree', {
		id: v.string(),
		shortId: v.string(),
		entries: withArguments('(cursor: $cursor Cursor)', cursorPage(treeEntry)),
	}),
	v.transform(({ id: treeId, shortId, entries: { items, next, isPart } }): TreeBeginning => ({
		tree: { id: treeId, shortId, entries: items },
		next,
		...(isPart ? { isPart } : {}),
	})),
);

/** A folder; `undefined` for another kind of object, which the server sends without fields. */
export const treeOrOther = v.union([
	tree,
	v.pipe(
		v.object({}),
		v.transform(() => undefined),
	),
]);

/** A file as one response contains it. */
export interface BlobBeginning {
	readonly id: string;
	/** For text files only. The server cuts long files and keeps line endings. */
	readonly text: string | undefined;
}

const blobHead = { __typename: v.optional(v.string()), id: v.optional(v.string()) };

/** A file; `undefined` for another kind of object. */
export const blobOrOther = v.pipe(
	selected('Object', { ...blobHead, text: v.optional(v.string()) }, { TextBlob: 'text' }),
	v.transform(blobOf),
);

/** The same without the text. */
export const blobHeadOrOther = v.pipe(selected('Object', blobHead), v.transform(blobOf));

function blobOf(wire: {
	readonly __typename?: string | undefined;
	readonly id?: string | undefined;
	readonly text?: string | undefined;
}): BlobBeginning | undefined {
	const isBlob = wire.__typename === 'TextBlob' || wire.__typename === 'BinaryBlob';
	return isBlob && wire.id !== undefined ? { id: wire.id, text: wire.text } : undefined;
}
