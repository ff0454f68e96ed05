import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { Artifact, Commit, Reference, Repository, Tree, TreeEntry } from '../../port/repository.ts';
import { visibilities } from '../../port/visibility.ts';
import { wordOf } from '../../port/word.ts';
import { typeOfMode } from '../../../engine/git/treeBytes.ts';
import { cursorPage } from '../door/listed.ts';
import { partly, unsentIn, unsentKey } from '../door/partial.ts';
import { id } from '../door/variables.ts';

/* Schemas for the repository service's responses (docs/protocol.md#graphql-repositories). */

export const repository = v.pipe(
	v.object({
		id,
		rid: v.optional(v.string()),
		created: timestamp,
		updated: timestamp,
		owner: v.object({ canonicalName: v.string() }),
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
	v.object({
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

const wireDescribed = v.object({
	name: v.string(),
	artifacts: v.optional(v.object({ cursor: v.nullish(v.string()), results: v.array(artifact), ...partly })),
});

type Uploads = Pick<Reference, 'artifacts' | 'hasMoreArtifacts' | 'areArtifactsUnread'>;

/** The cursor of an empty page repeats the page's own cursor, so there is no next page. */
function uploadsOf({ artifacts }: v.InferOutput<typeof wireDescribed>): Uploads {
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

/** A reference with its release files. */
export const reference = v.pipe(
	v.object({ ...wireDescribed.entries, target: v.string() }),
	v.transform((wire): Reference => ({ name: wire.name, target: wire.target, ...uploadsOf(wire) })),
);

/** A reference's release files. */
export type DescribedReference = Uploads & Pick<Reference, 'name'>;

/** A reference without its target; Git reads the target. */
export const describedReference = v.pipe(
	wireDescribed,
	v.transform((wire): DescribedReference => ({ name: wire.name, ...uploadsOf(wire) })),
);

const signer = v.object({ name: v.string(), email: v.string(), time: timestamp });

const withId = v.object({ id: v.string() });

/** A commit. The API doesn't report signatures. */
export const commit = v.pipe(
	v.object({
		id: v.string(),
		shortId: v.string(),
		author: signer,
		committer: signer,
		message: v.string(),
		tree: withId,
		parents: v.array(withId),
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

export const treeEntry = v.pipe(
	v.object({ id: v.string(), name: v.string(), mode: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
	v.transform((wire): TreeEntry => ({ ...wire, type: typeOfMode(wire.mode) })),
);

/** The first page of a folder. */
export interface TreeBeginning {
	readonly tree: Tree;
	/** Cursor of the next page. Each page boundary loses entries, so later pages never complete a folder. */
	readonly next: string | undefined;
	/** The server failed to say whether a page follows. */
	readonly isPart?: true | undefined;
}

const wireTree = v.object({ id: v.string(), shortId: v.string(), entries: cursorPage(treeEntry) });

function beginningOf({ id: treeId, shortId, entries }: v.InferOutput<typeof wireTree>): TreeBeginning {
	const { items, next, isPart } = entries;
	return { tree: { id: treeId, shortId, entries: items }, next, ...(isPart ? { isPart } : {}) };
}

export const tree = v.pipe(wireTree, v.transform(beginningOf));

/** The server sends an object of another kind without fields. */
const other = v.pipe(
	v.object({}),
	v.transform(() => undefined),
);

/** A folder; `undefined` for another kind of object. */
export const treeOrOther = v.union([tree, other]);

/** A file as one response contains it. */
export interface BlobBeginning {
	readonly id: string;
	/** For text files only. The server cuts long files and keeps line endings. */
	readonly text: string | undefined;
}

const blob = v.pipe(
	v.object({ id: v.string(), __typename: v.picklist(['TextBlob', 'BinaryBlob']), text: v.optional(v.string()) }),
	v.transform((wire): BlobBeginning => ({ id: wire.id, text: wire.text })),
);

/** A file; `undefined` for another kind of object. */
export const blobOrOther = v.union([blob, other]);

/* The selections for these schemas. A comment after each opening brace names the type (`graphql`). */

export const repositoryFields = `
	id
	rid
	created
	updated
	owner { # Entity
		canonicalName
	}
	name
	description
	visibility`;

/** The first page of a reference's release files (docs/protocol.md#graphql-files). */
const artifactFields = `
	artifacts { # ArtifactCursor
		cursor
		results { # Artifact
			created filename checksum size url
		}
	}`;

/** The fields of a reference that Git doesn't have. */
export const describedFields = `
	name
	${artifactFields}`;

/** The list contains `HEAD`; callers drop it. */
export const referenceFields = `
	target
	${describedFields}`;

/**
 * Excludes `object`: a submodule's commit doesn't exist in the repository, and the error would make the whole answer
 * null.
 */
export const treeFieldsAt = (page: string): string => `
	id
	shortId
	entries${page} { # TreeEntryCursor
		cursor
		results { # TreeEntry
			id name mode
		}
	}`;

export const treeFields = treeFieldsAt('');

/** The fields of a file that the response itself contains. */
export const blobFields = `
	__typename
	id
	... on TextBlob { text }`;

export const commitFields = `
	id
	shortId
	author { # Signature
		name email time
	}
	committer { # Signature
		name email time
	}
	message
	tree { # Tree
		id
	}
	parents { # Commit
		id
	}`;
