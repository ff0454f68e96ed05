import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { Artifact, Commit, Reference, Repository, Tree, TreeEntry } from '../../forge/repository.ts';
import { visibilities } from '../../forge/visibility.ts';
import { wordOf } from '../../forge/word.ts';
import { typeOfMode } from '../../git/treeBytes.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { partly, unsentIn, unsentKey } from '../door/partial.ts';
import { id } from '../door/variables.ts';

/*
 * Answers of the repository service (docs/protocol.md#graphql-repositories), as the documents beside this file ask for them.
 */

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

const describedFields = v.object({
	name: v.string(),
	artifacts: v.optional(v.object({ cursor: v.nullish(v.string()), results: v.array(artifact), ...partly })),
});

type Uploads = Pick<Reference, 'artifacts' | 'hasMoreArtifacts' | 'areArtifactsUnread'>;

/** A cursor beside an empty page is the one that the page began with, and leads nowhere. */
function uploadsOf({ artifacts }: v.InferOutput<typeof describedFields>): Uploads {
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
	v.object({ ...describedFields.entries, target: v.string() }),
	v.transform((wire): Reference => ({ name: wire.name, target: wire.target, ...uploadsOf(wire) })),
);

/** The release files of a reference, by its name. */
export type DescribedReference = Uploads & Pick<Reference, 'name'>;

/** A reference whose target git tells. */
export const describedReference = v.pipe(
	describedFields,
	v.transform((wire): DescribedReference => ({ name: wire.name, ...uploadsOf(wire) })),
);

const signer = v.object({ name: v.string(), email: v.string(), time: timestamp });

const withId = v.object({ id: v.string() });

/** A commit. Whether it is signed is not told. */
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

/** An entry of a folder. */
export const treeEntry = v.pipe(
	v.object({ id: v.string(), name: v.string(), mode: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
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

const treeFields = v.object({ id: v.string(), shortId: v.string(), entries: cursorPage(treeEntry) });

function beginningOf({ id: treeId, shortId, entries }: v.InferOutput<typeof treeFields>): TreeBeginning {
	const { items, next, isPart } = entries;
	return { tree: { id: treeId, shortId, entries: items }, next, ...(isPart ? { isPart } : {}) };
}

export const tree = v.pipe(treeFields, v.transform(beginningOf));

/** An object of a kind that is not wanted comes without its fields. */
const other = v.pipe(
	v.object({}),
	v.transform(() => undefined),
);

/** A folder; `undefined` for another object. */
export const treeOrOther = v.union([tree, other]);

/** A file as far as one answer goes. */
export interface BlobBeginning {
	readonly id: string;
	/** Of text alone, cut where it is long, and with every end of a line as it stands. */
	readonly text: string | undefined;
}

const blob = v.pipe(
	v.object({ id: v.string(), __typename: v.picklist(['TextBlob', 'BinaryBlob']), text: v.optional(v.string()) }),
	v.transform((wire): BlobBeginning => ({ id: wire.id, text: wire.text })),
);

/** A file; `undefined` for another object. */
export const blobOrOther = v.union([blob, other]);
