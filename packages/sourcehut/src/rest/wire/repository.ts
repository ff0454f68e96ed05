import * as v from 'valibot';
import { visibilities } from '../../port/visibility.ts';
import {
	type Artifact,
	type Reference,
	type Repository,
	type Commit,
	type Tree,
	type TreeEntry,
	entryTypes,
} from '../../port/repository.ts';
import { wordOf } from '../../port/word.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id } from './tracker.ts';
import { shortUser, extraOf } from './user.ts';

const repositoryFields = {
	id,
	created: timestamp,
	updated: v.nullish(timestamp),
	name: v.string(),
	owner: v.nullish(shortUser),
	subject: v.nullish(v.string()),
	description: v.nullish(v.string()),
	visibility: v.string(),
};

/** Repository resource (docs/protocol.md#repository-fields). Later servers may write the visibility in capitals. */
export const repository = v.pipe(
	v.looseObject(repositoryFields),
	v.transform((wire): Repository => ({
		id: wire.id,
		createdMs: wire.created,
		updatedMs: wire.updated ?? undefined,
		name: wire.name,
		owner: wire.owner ?? undefined,
		subject: wire.subject ?? undefined,
		description: wire.description ?? undefined,
		visibility: wordOf(visibilities, wire.visibility.toLowerCase()),
		...extraOf(wire, repositoryFields),
	})),
);

/** A file of a tag (docs/protocol.md#references). */
const artifact = v.pipe(
	v.object({
		created: v.nullish(timestamp),
		checksum: v.nullish(v.string()),
		size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
		filename: v.string(),
		url: v.string(),
	}),
	v.transform(({ created, checksum, size, filename, url }): Artifact => ({
		filename,
		createdMs: created ?? undefined,
		sizeBytes: size,
		checksum: checksum ?? undefined,
		url,
	})),
);

const referenceFields = { name: v.string(), target: v.string(), artifacts: v.nullish(v.array(artifact)) };

/** Reference resource (docs/protocol.md#references). */
export const reference = v.pipe(
	v.looseObject(referenceFields),
	v.transform((wire): Reference => ({
		name: wire.name,
		target: wire.target,
		...(wire.artifacts?.length ? { artifacts: wire.artifacts } : {}),
		...extraOf(wire, referenceFields),
	})),
);

const signer = v.object({ name: v.string(), email: v.string() });

const commitFields = {
	id: v.string(),
	short_id: v.string(),
	author: signer,
	committer: signer,
	timestamp,
	message: v.string(),
	tree: v.string(),
	parents: v.array(v.string()),
	signature: v.nullish(v.object({ signature: v.string(), data: v.string() })),
};

/** Commit resource (docs/protocol.md#resources). */
export const commit = v.pipe(
	v.looseObject(commitFields),
	v.transform((wire): Commit => ({
		id: wire.id,
		shortId: wire.short_id,
		author: wire.author,
		committer: wire.committer,
		timestampMs: wire.timestamp,
		message: wire.message,
		tree: wire.tree,
		parents: wire.parents,
		signature: wire.signature ?? undefined,
		...extraOf(wire, commitFields),
	})),
);

const treeEntry = v.pipe(
	v.object({ name: v.string(), id: v.string(), type: v.string(), mode: v.pipe(v.number(), v.safeInteger()) }),
	v.transform((wire): TreeEntry => ({
		name: wire.name,
		id: wire.id,
		type: wordOf(entryTypes, wire.type),
		mode: wire.mode,
	})),
);

const treeFields = { id: v.string(), short_id: v.string(), entries: v.array(treeEntry) };

/** Tree resource (docs/protocol.md#tree-entries). */
export const tree = v.pipe(
	v.looseObject(treeFields),
	v.transform((wire): Tree => ({
		id: wire.id,
		shortId: wire.short_id,
		entries: wire.entries,
		...extraOf(wire, treeFields),
	})),
);
